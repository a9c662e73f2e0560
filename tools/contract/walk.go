package main

import (
	"maps"
	"strings"
	"text/template/parse"
)

// event is one step of a template: exactly one of its fields is set.
type event struct {
	Text  *string `json:"text,omitempty"`
	Out   *expr   `json:"out,omitempty"`
	Open  *expr   `json:"open,omitempty"` // a block begins; Kind says which
	Kind  string  `json:"kind,omitempty"` // if, with, range
	Else  bool    `json:"else,omitempty"`
	Close bool    `json:"close,omitempty"`
}

// expr is an expression with every dot and variable resolved.
type expr struct {
	Path    []string `json:"path,omitempty"` // below .Values; "*" stands for the element of a range
	Values  bool     `json:"values,omitempty"`
	Lit     any      `json:"lit,omitempty"`
	Fn      string   `json:"fn,omitempty"`
	Args    []*expr  `json:"args,omitempty"`
	Builtin []string `json:"builtin,omitempty"` // .Chart.Version and the like
	Key     []string `json:"key,omitempty"`     // the key of a range over this path
	Include string   `json:"include,omitempty"`
	Body    []event  `json:"body,omitempty"`
	When    []*expr  `json:"when,omitempty"` // conditions under which a variable got this value (Args[0])
	Unknown string   `json:"unknown,omitempty"`

	root bool
	dict map[string]*expr
}

func rootValue() *expr { return &expr{root: true} }

// scope is the dot, the variables and the conditions at one point of a template.
type scope struct {
	dot   *expr
	vars  map[string]**expr
	conds []*expr
}

func newScope(dot *expr) *scope {
	top := dot
	return &scope{dot: dot, vars: map[string]**expr{"$": &top}}
}

// in opens a block: variables declared inside end with it, assignments reach those declared outside.
func (s *scope) in(dot *expr, conds ...*expr) *scope {
	return &scope{dot: dot, vars: maps.Clone(s.vars), conds: append(append([]*expr{}, s.conds...), conds...)}
}

// walker follows one template. depth stops includes that call themselves.
type walker struct {
	trees     map[string]*parse.Tree
	templates []string
	events    []event
	depth     int
}

func (w *walker) emit(e event) { w.events = append(w.events, e) }

func (w *walker) list(list *parse.ListNode, s *scope) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		w.node(node, s)
	}
}

func (w *walker) node(node parse.Node, s *scope) {
	switch n := node.(type) {
	case *parse.TextNode:
		text := string(n.Text)
		w.emit(event{Text: &text})
	case *parse.ActionNode:
		value := w.pipe(n.Pipe, s)
		if len(n.Pipe.Decl) == 0 {
			w.emit(event{Out: value})
		}
	case *parse.IfNode:
		w.branch("if", &n.BranchNode, s)
	case *parse.WithNode:
		w.branch("with", &n.BranchNode, s)
	case *parse.RangeNode:
		w.branch("range", &n.BranchNode, s)
	case *parse.TemplateNode:
		w.emit(event{Out: w.include(n.Name, w.pipe(n.Pipe, s))})
	}
}

func (w *walker) branch(kind string, n *parse.BranchNode, s *scope) {
	outer := s.in(s.dot)
	subject := w.pipe(n.Pipe, outer)
	inner := outer.in(s.dot, subject)
	switch kind {
	case "with":
		inner.dot = subject
	case "range":
		inner.dot = element(subject)
		for i, variable := range n.Pipe.Decl {
			value := element(subject)
			if len(n.Pipe.Decl) == 2 && i == 0 {
				value = &expr{Key: subject.Path, Unknown: "key"}
			}
			inner.declare(variable.Ident[0], value)
		}
	}
	w.emit(event{Open: subject, Kind: kind})
	w.list(n.List, inner)
	if n.ElseList != nil {
		w.emit(event{Else: true})
		w.list(n.ElseList, outer.in(s.dot, &expr{Fn: "not", Args: []*expr{subject}}))
	}
	w.emit(event{Close: true})
}

func element(subject *expr) *expr {
	if subject.Path != nil {
		return &expr{Path: append(append([]string{}, subject.Path...), "*")}
	}
	return &expr{Unknown: "element", Args: []*expr{subject}}
}

func (s *scope) declare(name string, value *expr) {
	held := value
	s.vars[name] = &held
}

func (w *walker) pipe(pipe *parse.PipeNode, s *scope) *expr {
	if pipe == nil {
		return &expr{Lit: nil, Unknown: "nil"}
	}
	var value *expr
	for _, command := range pipe.Cmds {
		value = w.command(command, value, s)
	}
	for _, variable := range pipe.Decl {
		name := variable.Ident[0]
		if held, ok := s.vars[name]; ok && pipe.IsAssign {
			*held = &expr{Fn: "choice", Args: []*expr{*held, {When: s.conds, Args: []*expr{value}}}}
		} else if !pipe.IsAssign {
			s.declare(name, value)
		}
	}
	return value
}

func (w *walker) command(command *parse.CommandNode, piped *expr, s *scope) *expr {
	first := command.Args[0]
	name, ok := first.(*parse.IdentifierNode)
	if !ok {
		return w.operand(first, s)
	}
	var args []*expr
	for _, arg := range command.Args[1:] {
		args = append(args, w.operand(arg, s))
	}
	if piped != nil {
		args = append(args, piped)
	}
	return w.call(name.Ident, args)
}

func (w *walker) call(name string, args []*expr) *expr {
	switch {
	case name == "include" && len(args) == 2:
		return w.include(w.templateName(args[0]), args[1])
	case name == "index" && len(args) > 1:
		value := args[0]
		for _, key := range args[1:] {
			text, ok := key.Lit.(string)
			if !ok {
				return &expr{Fn: name, Args: args}
			}
			value = field(value, text)
		}
		return value
	case name == "dict":
		value := &expr{Fn: name, Args: args, dict: map[string]*expr{}}
		for i := 0; i+1 < len(args); i += 2 {
			if key, ok := args[i].Lit.(string); ok {
				value.dict[key] = args[i+1]
			}
		}
		return value
	}
	return &expr{Fn: name, Args: args}
}

// templateName resolves `print $.Template.BasePath "/file.yaml"`, the idiom for hashing a sibling template.
func (w *walker) templateName(name *expr) string {
	if text, ok := name.Lit.(string); ok {
		return text
	}
	if name.Fn == "print" && len(name.Args) == 2 {
		if tail, ok := name.Args[1].Lit.(string); ok {
			for _, file := range w.templates {
				if strings.HasSuffix(file, tail) {
					return file
				}
			}
		}
	}
	return ""
}

func (w *walker) include(name string, dot *expr) *expr {
	tree := w.trees[name]
	if tree == nil || w.depth > 20 {
		return &expr{Unknown: "include " + name, Args: []*expr{dot}}
	}
	inner := &walker{trees: w.trees, templates: w.templates, depth: w.depth + 1}
	inner.list(tree.Root, newScope(dot))
	return &expr{Include: name, Body: inner.events}
}

func (w *walker) operand(node parse.Node, s *scope) *expr {
	switch n := node.(type) {
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return fields(s.dot, n.Ident)
	case *parse.VariableNode:
		if held, ok := s.vars[n.Ident[0]]; ok {
			return fields(*held, n.Ident[1:])
		}
	case *parse.ChainNode:
		return fields(w.operand(n.Node, s), n.Field)
	case *parse.PipeNode:
		return w.pipe(n, s)
	case *parse.IdentifierNode:
		return w.call(n.Ident, nil)
	case *parse.StringNode:
		return &expr{Lit: n.Text}
	case *parse.BoolNode:
		return &expr{Lit: n.True}
	case *parse.NumberNode:
		if n.IsInt {
			return &expr{Lit: n.Int64}
		}
		return &expr{Lit: n.Float64}
	case *parse.NilNode:
		return &expr{Unknown: "nil"}
	}
	return &expr{Unknown: node.String()}
}

func fields(value *expr, names []string) *expr {
	for _, name := range names {
		value = field(value, name)
	}
	return value
}

func field(value *expr, name string) *expr {
	switch {
	case value.root && name == "Values":
		return &expr{Values: true}
	case value.root:
		return &expr{Builtin: []string{name}}
	case value.Values:
		return &expr{Path: []string{name}}
	case value.Path != nil:
		return &expr{Path: append(append([]string{}, value.Path...), name)}
	case value.Builtin != nil:
		return &expr{Builtin: append(append([]string{}, value.Builtin...), name)}
	case value.dict != nil && value.dict[name] != nil:
		return value.dict[name]
	}
	return &expr{Unknown: "." + name, Args: []*expr{value}}
}
