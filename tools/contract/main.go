// Command contract prints what the templates of an unpacked Helm chart do with values, as JSON.
//
//	go run ./tools/contract CHART_DIR
//
// It parses the templates as Helm does (text/template/parse), resolves dots, variables, `with`, `range` and `include`,
// and prints for every template that makes an object a flat list of events: texts, outputs and blocks, in which every
// expression names the values paths it reads. What the events mean is worked out by contract_scan.py.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template/parse"
)

// chartEvents is one chart of the tree: the chart itself ("") or a subchart ("charts/<folder>").
type chartEvents struct {
	Dir       string           `json:"dir"`
	Templates []templateEvents `json:"templates"`
}

type templateEvents struct {
	File   string  `json:"file"`
	Events []event `json:"events"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: contract CHART_DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	trees := map[string]*parse.Tree{}
	dirs, err := chartDirs(root, "")
	if err != nil {
		return err
	}
	files := map[string][]string{}
	for _, dir := range dirs {
		// Helm shares named templates among a chart and its subcharts, so all are parsed before any is followed.
		if files[dir], err = parseTemplates(root, dir, trees); err != nil {
			return err
		}
	}
	var charts []chartEvents
	for _, dir := range dirs {
		chart := chartEvents{Dir: dir}
		for _, file := range files[dir] {
			base := filepath.Base(file)
			if strings.HasPrefix(base, "_") || base == "NOTES.txt" || trees[file] == nil {
				continue
			}
			walker := &walker{trees: trees, templates: files[dir]}
			walker.list(trees[file].Root, newScope(rootValue()))
			chart.Templates = append(chart.Templates, templateEvents{strings.TrimPrefix(file, dir+"/"), walker.events})
		}
		charts = append(charts, chart)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(charts)
}

// chartDirs lists the chart at root/dir and its subcharts, parents first, as paths relative to root.
func chartDirs(root, dir string) ([]string, error) {
	found := []string{dir}
	entries, err := os.ReadDir(filepath.Join(root, dir, "charts"))
	if os.IsNotExist(err) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			below, err := chartDirs(root, filepath.Join(dir, "charts", entry.Name()))
			if err != nil {
				return nil, err
			}
			found = append(found, below...)
		}
	}
	return found, nil
}

func parseTemplates(root, dir string, trees map[string]*parse.Tree) ([]string, error) {
	base := filepath.Join(root, dir, "templates")
	var files []string
	err := filepath.Walk(base, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(root, path)
		files = append(files, relative)
		return parseInto(relative, string(text), trees)
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	sort.Strings(files)
	return files, err
}

func parseInto(name, text string, trees map[string]*parse.Tree) error {
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck // Helm's functions need not be known to be read
	set := map[string]*parse.Tree{}
	if _, err := tree.Parse(text, "", "", set); err != nil {
		return err
	}
	for key, parsed := range set {
		trees[key] = parsed
	}
	return nil
}
