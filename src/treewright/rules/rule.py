"""Rule: conditions, and what is answered where they hold.

In: conditions, an answer, and what the training rows say about it. Out: the same in words and as plain values.
"""

from dataclasses import dataclass
from typing import Any

from treewright.model.plain import plain
from treewright.model.words import category_words, printable, weight_words
from treewright.rules.condition import Condition


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rule:
    """One rule; it applies to a row that satisfies all of its conditions.

    number      its number: as the leaves stand in the printed tree, or as generalised rules were found
    conditions  what a row has to satisfy; a rule without any applies to every row
    answer      the class, or the number of a regression
    weight      the weight of the training rows it applies to
    support     that weight as a share of all training rows'
    confidence  the share of the class among these rows; where there are none, at the node above. None for numbers
    lift        confidence / share of the class among all training rows; None for numbers
    deviation   how far the training rows are from the number: the root of the mean square, or for absolute_error the
                mean distance; None for classes
    error       the pessimistic estimate of the share of errors, of a generalised rule; None for a leaf
    shares      the share of each class among the training rows; None for numbers
    node        the leaf of the tree; None for a generalised rule
    """

    number: int
    conditions: tuple[Condition, ...]
    answer: Any
    weight: float
    support: float
    confidence: float | None = None
    lift: float | None = None
    deviation: float | None = None
    error: float | None = None
    shares: tuple[float, ...] | None = None
    node: int | None = None

    def words(self) -> str:
        """The conditions in one line.

        >>> from treewright.rules.leaves import leaf_rules
        >>> from treewright.model.build import golf_example
        >>> leaf_rules(golf_example())[0].words()
        'outlook = sunny and humidity <= 75'
        """
        if not self.conditions:
            return "always"
        parts = [condition.words() for condition in self.conditions]
        if len(parts) > 1:  # "or" binds less than "and"
            both = (c.missing and c.known for c in self.conditions)
            parts = [f"({part})" if joined else part for part, joined in zip(parts, both, strict=True)]
        return " and ".join(parts)

    @property
    def answer_words(self) -> str:
        """The class in words, or the number in six digits."""
        return category_words(self.answer) if self.deviation is None else format(self.answer, ".6g")

    def figures(self) -> str:
        """What the training rows say, in words.

        >>> from treewright.rules.leaves import leaf_rules
        >>> from treewright.model.build import golf_example
        >>> leaf_rules(golf_example())[2].figures()
        'support 4 (28.6%), confidence 100.0%, lift 1.56'
        """
        said = [f"support {weight_words(self.weight)} ({self.support:.1%})"]
        if self.confidence is not None:
            said.append(f"confidence {self.confidence:.1%}")
        if self.lift is not None:
            said.append(f"lift {self.lift:.2f}")
        if self.deviation is not None:
            said.append(f"deviation {self.deviation:.4g}")
        return ", ".join(said)

    def to_dict(self) -> dict[str, Any]:
        """The rule as plain values.

        >>> from treewright.rules.leaves import leaf_rules
        >>> from treewright.model.build import golf_example
        >>> leaf_rules(golf_example())[2].to_dict()["class"]
        'Play'
        """
        said: dict[str, Any] = {
            "number": self.number,
            "words": self.words(),
            "conditions": [condition.to_dict() for condition in self.conditions],
        }
        said |= {"value": float(self.answer)} if self.shares is None else {"class": plain(self.answer)}
        said |= {"weight": self.weight, "support": self.support}
        for name in ("confidence", "lift", "deviation", "error", "node"):
            if getattr(self, name) is not None:
                said[name] = getattr(self, name)
        return said if self.shares is None else said | {"shares": list(self.shares)}

    def __str__(self) -> str:
        return printable(f"{self.words()} -> {self.answer_words}")

    def __repr__(self) -> str:
        return f"<Rule {self.number}: {self}>"
