"""What `lint` says of itself: how it took a file."""

from genvalues.rules.rule import Rule

ASSUMED = Rule("GV920", "info", "A chart version that the file does not name", "0.1.0")

RULES = (ASSUMED,)
