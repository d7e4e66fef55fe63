"""Rules as SQL: one SELECT statement that scores a table in the database.

In: a `RuleScoring`, a dialect and the name of a table. Out: the statement. One CASE expression finds the first rule
that applies to each row; the predictions of the rules are joined. NULL and NaN are missing values.
"""

from collections.abc import Sequence
from math import inf, isfinite

from treewright.errors import one_of
from treewright.export.code_text import MAX_WIDTH, one_line
from treewright.export.rule_scoring import RuleScoring, codes_of
from treewright.export.scoring import ValueTest
from treewright.export.sql import refuse_inexpressible, run, table_parts
from treewright.export.sql_conditions import ConditionWriter
from treewright.export.sql_dialects import DIALECTS, Dialect
from treewright.rules.rule import Condition

__all__ = ["run", "write"]

RULE = "treewright_rule"
"""The column that has the number of the rule; 0 if no rule applies, null for a row that is refused."""


def write(
    scoring: RuleScoring,
    *,
    header: Sequence[str] = (),
    dialect: str = "duckdb",
    table: str | Sequence[str] = "data",
    probabilities: bool = True,
) -> str:
    """Return a SELECT statement that scores a table.

    Parameters
    ----------
    scoring : RuleScoring
        The rules.
    header : sequence of str
        Lines of a comment at the top.
    dialect : str
        One of `DIALECTS`.
    table : str or sequence of str
        The table; "schema.table" or ("schema", "table") for one in a schema.
    probabilities : bool
        Whether the statement has a column for the probability of each class.

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> from treewright.export.rule_scoring import rule_scoring
    >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> rules = C45Classifier().fit(X, y).rules("generalised")
    >>> print(write(rule_scoring(rules), dialect="sqlite", table="points", probabilities=False))
    WITH rules(treewright_rule, prediction) AS (
      VALUES
        (1, 'no'),
        (2, 'yes'),
        (0, 'no')
    ),
    matched AS (
      SELECT data.*,
        CASE
          WHEN "x0" <= 2 THEN 1 -- no
          WHEN "x0" > 2 THEN 2 -- yes
          ELSE 0 -- no
        END AS treewright_rule
      FROM "points" AS data
    )
    SELECT matched.*, rules.prediction
    FROM matched
    LEFT JOIN rules ON rules.treewright_rule = matched.treewright_rule;
    """
    chosen = DIALECTS[one_of("dialect", dialect, list(DIALECTS))]
    refuse_inexpressible(scoring)
    names = [RULE, "prediction"]
    if probabilities and not scoring.is_regression:
        names += [f"p{k}" for k in range(len(scoring.classes))]
    parts = [chosen.rows("rules", names, _rows(scoring, chosen, len(names)))]
    source = ".".join(table_parts(table, chosen))
    case = "\n".join(_case(scoring, RuleConditions(scoring, chosen)))
    parts.append(f"matched AS (\n  SELECT data.*,\n{case} AS {RULE}\n  FROM {source} AS data\n)")
    return "\n".join(
        [
            *(f"-- {' '.join(line.split())}" for line in header),
            "WITH " + ",\n".join(parts),
            f"SELECT {', '.join(['matched.*', *_predictions(scoring, chosen, len(names) > 2)])}",
            "FROM matched",
            f"LEFT JOIN rules ON rules.{RULE} = matched.{RULE};",
        ]
    )


def _rows(scoring: RuleScoring, dialect: Dialect, width: int) -> list[list[str]]:
    """The number and the prediction of each rule."""
    rows = []
    for i, number in enumerate(scoring.numbers):
        values = [dialect.real(value) for value in scoring.tree.value[i].tolist()]
        if scoring.is_regression:
            rows.append([str(number), values[0]])
        else:
            label = dialect.literal(scoring.classes[int(scoring.tree.predicted_class[i])])
            rows.append([str(number), label, *values[: width - 2]])
    return rows


def _case(scoring: RuleScoring, conditions: "RuleConditions") -> list[str]:
    """The lines of the expression that finds the rule of a row."""
    if not scoring.rules and not scoring.refused:
        return [f"    {scoring.numbers[-1]}"]
    lines = ["    CASE"]
    lines += [f"      WHEN {conditions.unseen(i)} THEN NULL -- refused" for i in scoring.refused]
    for i, rule in enumerate(scoring.rules):
        tests = [conditions.condition(one) for one in rule]
        if len(tests) > 1:
            tests = [f"({test})" if " OR " in test else test for test in tests]
        between = " AND " if sum(map(len, tests)) <= MAX_WIDTH else "\n        AND "
        lines.append(f"      WHEN {between.join(tests)} THEN {scoring.numbers[i]}{_remark(scoring, i)}")
    return [*lines, f"      ELSE {scoring.numbers[-1]}{_remark(scoring, len(scoring.rules))}", "    END"]


def _remark(scoring: RuleScoring, i: int) -> str:
    """The prediction of a rule as a comment."""
    if scoring.is_regression:
        return f" -- {scoring.tree.value[i, 0]:.6g}"
    label = one_line(str(scoring.classes[int(scoring.tree.predicted_class[i])]), 60)
    return f" -- {label}".rstrip()


def _predictions(scoring: RuleScoring, dialect: Dialect, probabilities: bool) -> list[str]:
    if scoring.is_regression:
        return [f"CAST(rules.prediction AS {dialect.double}) AS prediction"]
    found = ["rules.prediction"]
    if probabilities:
        for k, label in enumerate(scoring.classes):
            name = dialect.identifier(f"probability_{label}")
            found.append(f"CAST(rules.p{k} AS {dialect.double}) AS {name}")
    return found


class RuleConditions(ConditionWriter):
    """Writes the conditions of rules in one dialect."""

    def __init__(self, scoring: RuleScoring, dialect: Dialect) -> None:
        super().__init__(scoring, dialect)
        self.unseen_category = scoring.unseen

    def condition(self, one: Condition) -> str:
        """A condition: known values that satisfy it, or a missing one."""
        codes, position = codes_of(one), one.position
        if codes is not None and one.missing and self.unseen_category == "missing":
            # Whatever is not another category: a missing value, or an unseen category.
            others = [code for code in range(one.column.n_categories) if code not in set(codes)]
            return f"{self.is_missing(position)} OR NOT {self._one_of(position, others)}"
        if codes is not None:
            known = self._one_of(position, codes) if codes else ""
        elif one.missing and one.known and one.low > -inf and one.high == inf:
            # NaN is above every number.
            return f"{self.names[position]} > {self.dialect.number(one.low)} OR {self.names[position]} IS NULL"
        else:
            known = self._interval(one) if one.known else ""
        if not one.missing:
            return known
        return f"{known} OR {self.is_missing(position)}" if known else self.is_missing(position)

    def unseen(self, position: int) -> str:
        """The condition that a category did not occur in training."""
        known = self._one_of(position, range(self.columns[position].n_categories))
        return f"NOT ({self.is_missing(position)} OR {known})"

    def _one_of(self, position: int, codes: Sequence[int]) -> str:
        ((words, _),) = self.known(ValueTest(position, self.columns[position], None, (tuple(codes),), (0,)))
        return words

    def _interval(self, one: Condition) -> str:
        """The condition of a known number."""
        name = self.names[one.position]
        if isfinite(one.low) and isfinite(one.high):
            return f"{name} > {self.dialect.number(one.low)} AND {name} <= {self.dialect.number(one.high)}"
        limit = next((limit for limit in (one.low, one.high) if isfinite(limit)), None)
        branches = (0,) if limit is None else (0, 1)
        found = self.known(ValueTest(one.position, one.column, limit, None, branches))
        return found[isfinite(one.low)][0]
