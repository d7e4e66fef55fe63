"""A slow reader of the tree models of PMML 4.4, written from the text of the standard: a test of what is exported.

A predicate is True, False or None (unknown). The standard leaves two things open, and `score` can do either: whether
the first child with an unknown predicate decides (`patient=False`) or a true child after it is taken; and whether
weightedConfidence divides by the records of the parent or by those of the children (`by_parent`).
"""

import re
import xml.etree.ElementTree as ET

NAMESPACE = "{http://www.dmg.org/PMML-4_4}"
PARSERS = {
    "string": str,
    "double": float,
    "integer": int,
    "boolean": lambda text: {"true": True, "false": False}[text],
}
ORDERS = {
    "equal": lambda a, b: a == b,
    "notEqual": lambda a, b: a != b,
    "lessOrEqual": lambda a, b: a <= b,
    "lessThan": lambda a, b: a < b,
    "greaterThan": lambda a, b: a > b,
    "greaterOrEqual": lambda a, b: a >= b,
}


class Reader:
    """A file with one TreeModel; `score` predicts a row."""

    def __init__(self, text, *, patient=False, by_parent=True):
        root = ET.fromstring(text.encode())
        assert root.tag == NAMESPACE + "PMML"
        self.patient, self.by_parent = patient, by_parent
        self.model = root.find(NAMESPACE + "TreeModel")
        self.parse, self.valid = {}, {}
        for field in root.iter(NAMESPACE + "DataField"):
            name, parse = field.get("name"), PARSERS[field.get("dataType")]
            assert name not in self.parse
            self.parse[name] = parse
            self.valid[name] = [parse(one.get("value")) for one in field.findall(NAMESPACE + "Value")]
        fields = list(self.model.iter(NAMESPACE + "MiningField"))
        self.target = next(one.get("name") for one in fields if one.get("usageType") == "target")
        self.treatment = {
            one.get("name"): one.get("invalidValueTreatment", "returnInvalid")
            for one in fields
            if one.get("name") != self.target
        }
        outputs = [
            one for one in self.model.iter(NAMESPACE + "OutputField") if one.get("feature") == "probability"
        ]
        self.classes = [self.parse[self.target](one.get("value")) for one in outputs]
        self.strategy = self.model.get("missingValueStrategy", "none")
        self.last = self.model.get("noTrueChildStrategy") == "returnLastPrediction"

    def score(self, row):
        """The predicted value and the probabilities of the classes; None without a prediction."""
        cells = {}
        for name, treatment in self.treatment.items():
            value = row.get(name)
            if value is not None and self.parse[name] is str:
                value = str(value)
            if value is not None and self.valid[name] and value not in self.valid[name]:
                if treatment == "returnInvalid":
                    return None
                value = None if treatment == "asMissing" else value
            cells[name] = value
        return self._score(self.model.find(NAMESPACE + "Node"), cells)

    def _score(self, node, cells):
        while children := node.findall(NAMESPACE + "Node"):
            found = [(child, self._holds(child.find("*"), cells)) for child in children]
            firm = [child for child, holds in found if holds]
            unknown = [holds is None for _, holds in found]
            if any(unknown) and self.strategy != "none" and not (self.patient and firm):
                before = [holds for _, holds in found[: unknown.index(True)]]
                if not any(before):
                    if self.strategy == "lastPrediction":
                        break
                    if self.strategy == "nullPrediction":
                        return None
                    if self.strategy == "weightedConfidence":
                        return self._weighted(
                            node, [child for child, holds in found if holds is not False], cells
                        )
                    assert self.strategy == "defaultChild"
                    (node,) = [child for child in children if child.get("id") == node.get("defaultChild")]
                    continue
            if firm:
                node = firm[0]
            elif self.last:
                break
            else:
                return None
        shares = {
            self.parse[self.target](one.get("value")): float(one.get("probability"))
            for one in node.findall(NAMESPACE + "ScoreDistribution")
        }
        return self.parse[self.target](node.get("score")), [shares[one] for one in self.classes]

    def _weighted(self, node, children, cells):
        total = float(node.get("recordCount"))
        if not self.by_parent:
            total = sum(float(child.get("recordCount")) for child in children)
        confidence = [0.0] * len(self.classes)
        for child in children:
            found = self._score(child, cells)
            weight = float(child.get("recordCount")) / total
            confidence = [a + weight * b for a, b in zip(confidence, found[1], strict=True)]
        best = next(
            i for i, one in enumerate(confidence) if one >= max(confidence) * (1 - 1e-12)
        )  # the first on a tie
        return self.classes[best], confidence

    def _holds(self, predicate, cells):
        kind = predicate.tag.removeprefix(NAMESPACE)
        if kind == "True":
            return True
        if kind == "CompoundPredicate":
            parts = (self._holds(part, cells) for part in predicate)
            operator = predicate.get("booleanOperator")
            if operator == "surrogate":
                return next((part for part in parts if part is not None), None)
            decides, found = operator == "or", list(parts)
            return decides if decides in found else None if None in found else not decides
        name = predicate.get("field")
        value, parse = cells[name], self.parse[name]
        if predicate.get("operator") == "isMissing":
            return value is None
        if value is None:
            return None
        if kind == "SimplePredicate":
            return ORDERS[predicate.get("operator")](value, parse(predicate.get("value")))
        assert kind == "SimpleSetPredicate"
        array = predicate.find(NAMESPACE + "Array")
        values = [parse(quoted or bare) for quoted, bare in re.findall(r'"([^"\\]*)"|(\S+)', array.text)]
        assert len(values) == int(array.get("n"))
        return (value in values) == (predicate.get("booleanOperator") == "isIn")
