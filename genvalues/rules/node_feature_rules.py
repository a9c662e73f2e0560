"""Rules over NodeFeatureRules: the family, whose members stand in the modules `node_feature_*`.

NFD answers none of these faults but in the log of nfd-master; the labels of such rules are judged in `labels.py`.
"""

from genvalues.rules import node_feature_logic, node_feature_matchers, node_feature_outputs, node_feature_shape
from genvalues.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *node_feature_shape.RULES,
    *node_feature_matchers.RULES,
    *node_feature_logic.RULES,
    *node_feature_outputs.RULES,
)
