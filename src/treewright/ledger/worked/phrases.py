"""Phrases about growth, in English and in Chinese.

In: nothing. Out: by key the phrase in each language, with {names} for the pieces that are put in. The Chinese words are
those of Zhou's and Li Hang's textbooks.
"""

from treewright.criteria.registry import CRITERIA
from treewright.model.strategies import STRATEGIES

GROWTH: dict[str, tuple[str, str]] = {
    "title": ("Node {node}: {where}", "结点 {node}：{where}"),
    "title.grown": ("Node {node} of the grown tree: {where}", "未剪枝决策树的结点 {node}：{where}"),
    "root": ("root", "根结点"),
    "and": (" and ", " 且 "),
    "note": (
        "Numbers are worked out with all their digits and shown rounded.",
        "各数均以全部位数计算，显示时四舍五入。",
    ),
    "rows": ("{n} rows", "{n} 个样本"),
    "row": ("{n} row", "{n} 个样本"),
    "count.of": ("{label}: {n}", "{n} 个“{label}”"),
    "and.more": ("{first}, and {n} more classes", "{first}，另有 {n} 个类别"),
    "the.rows": ("The rows", "样本集"),
    "rows.are": ("D has {rows} ({counts}).", "D：{rows}，其中 {counts}。"),
    "rows.numbers": ("D has {rows}.", "D：{rows}。"),
    **{f"impurity.{name}": criterion.heading for name, criterion in CRITERIA.items()},
    "empty": (
        "No training row comes here; the node answers as the one above.",
        "没有训练样本到达此结点，结论取其父结点。",
    ),
    "kind.category": ("{name}", "{name}"),
    "kind.number": ("{name} (a number)", "{name}（连续属性）"),
    "kind.ordered": ("{name} (ordered)", "{name}（有序属性）"),
    "known": (
        "The value is known in rows of weight {known} out of {total}.",
        "该属性上已知取值的样本权重为 {known}，共 {total}。",
    ),
    "all.in.branches": (
        "Rows without a value are in one of the branches, so all rows of D count.",
        "缺失取值的样本归入某一分支，故计入 D 的全部样本。",
    ),
    "branch": ("branch", "分支"),
    "more.branches": ("… {n} more branches", "… 另有 {n} 个分支"),
    "cuts": ("{name} has {n} admissible cuts.", "{name}有 {n} 个候选划分点。"),
    "cuts.one": ("{name} has one admissible cut.", "{name}只有 1 个候选划分点。"),
    "cuts.values": (
        "As in C4.5, t is the largest value of the whole table that is not above the middle between two values.",
        "与 C4.5 相同，t 取全部训练数据中不超过相邻两值中点的最大值。",
    ),
    "cuts.known": (
        "gain: among the rows with a known value, before ρ, the branch of missing values and the charge",
        "增益：仅就已知取值的样本计算，未乘 ρ、未计缺失值分支与代价",
    ),
    "cut": ("cut t", "划分点 t"),
    "missing.go": ("missing", "缺失值"),
    "known.or.not": ("known or missing", "已知或缺失"),
    "side.low": ("classes ≤ t", "≤ t 的类别"),
    "side.high": ("classes > t", "> t 的类别"),
    "side.low.only": ("≤ t", "≤ t"),
    "side.high.only": ("> t", "> t"),
    "best": ("best", "最优"),
    "as.good": ("as good", "并列"),
    "more.cuts": ("… {n} more cuts that gain less, or as much and come later", "… 另有 {n} 个划分点，增益不更大"),
    "each.against": (
        "Each value v of {name} against all others:",
        "{name}的每个取值 v 与其余取值二分：",
    ),
    "gain": ("gain", "信息增益"),
    "gain.other": ("gain", "增益"),
    "gini": ("Gini index", "基尼指数"),
    "split.info": ("IV", "固有值 IV"),
    "ratio": ("gain ratio", "增益率"),
    "gain.name": ("gain", "增益"),
    "ratio.name": ("gain ratio", "增益率"),
    "net": ("net", "净"),
    "charge": ("charge", "代价"),
    "charged": (
        "Many cuts are a wide choice, so log₂ of their number, in bits for each row, is taken off the gain:",
        "划分点多则选择余地大，故从增益中减去 log₂(划分点数)/|D|：",
    ),
    "charged.groups": (
        "The values can be grouped in many ways, so log₂ of their number, in bits for each row, is taken off the gain:",
        "取值的分组方式多则选择余地大，故从增益中减去 log₂(分组方式数)/|D|：",
    ),
    "charged.split": (
        "A split pays for being told from a leaf; in bits: {bit}.",
        "划分须付出代价以与叶结点区分，比特数：{bit}。",
    ),
    "charged.answer": (
        "A leaf more has an answer more; in bits, half a one for each doubling of the rows.",
        "多一个叶结点就多一个结论：样本数每翻一倍，半比特。",
    ),
    "bits": ("bits", "比特"),
    "charged.squared_error": (
        "To tell numbers takes log₂ of their standard deviation, and a constant; so b bits for each row are worth "
        "4ᵇ − 1 times the squared error for each row that the split leaves:",
        "描述一个数值需 log₂(标准差) 加一常数，故每个样本的 b 比特相当于划分后平均平方误差的 4ᵇ − 1 倍：",
    ),
    "charged.absolute_error": (
        "To tell numbers takes log₂ of their mean deviation, and a constant; so b bits for each row are worth 2ᵇ − 1 "
        "times the absolute error for each row that the split leaves:",
        "描述一个数值需 log₂(平均绝对偏差) 加一常数，故每个样本的 b 比特相当于划分后平均绝对误差的 2ᵇ − 1 倍：",
    ),
    "charged.values": (
        "There are {n} values to group: those of a single row count as one, and missing as one where it joins a group.",
        "参与分组的取值有 {n} 个：仅有一个样本的各取值合计为一个；缺失值归入某组时也算一个。",
    ),
    "no.candidate": ("The column offers no split: {reason}.", "该属性不能划分：{reason}。"),
    "no.candidate.charge": (
        "The column offers no split: its gain is not above the charge.",
        "该属性不能划分：增益不大于代价。",
    ),
    "no.candidate.nothing": (
        "The column offers no split: its only cut gains nothing.",
        "该属性不能划分：唯一的划分点没有增益。",
    ),
    "no.candidate.groups": (
        "The column offers no split: its branches gain nothing.",
        "该属性不能划分：各分支没有增益。",
    ),
    "no.candidate.single": (
        "The column offers no split: each value is that of a single row, and such values count as one.",
        "该属性不能划分：每个取值只有一个样本，这样的取值合计为一个。",
    ),
    "no.candidate.order": (
        "The column offers no split: it would not keep the order that monotonic_cst asks for.",
        "该属性不能划分：会违反 monotonic_cst 要求的次序。",
    ),
    "no.candidate.info": (
        "The column cannot be ranked: its split information is too small.",
        "该属性不参与排序：固有值过小。",
    ),
    "no.candidate.unknown": ("The column offers no split: no value is known.", "该属性不能划分：取值全部缺失。"),
    "no.candidate.one": (
        "The column offers no split: all rows have the same value.",
        "该属性不能划分：样本取值全部相同。",
    ),
    "no.candidate.small": (
        "The column offers no split: the branches would hold too few rows, or gain nothing.",
        "该属性不能划分：分支样本过少，或没有增益。",
    ),
    "choice": ("The choice", "选择划分属性"),
    "column": ("column", "属性"),
    "verdict": ("verdict", "结论"),
    "verdict.chosen": ("chosen", "选中"),
    "verdict.tied": ("tied", "并列"),
    "verdict.ranked": ("beaten", "较差"),
    "verdict.below": ("below the average", "低于平均增益"),
    "verdict.below.naming": ("below the price of its name", "低于指明属性的代价"),
    "verdict.below.both": ("below the floor", "低于下限"),
    "verdict.rejected": ("no split", "不能划分"),
    "more.columns": ("… {n} more columns", "… 另有 {n} 个属性"),
    "average": ("average gain", "平均增益"),
    "average.rule": (
        "Only columns with at least the average gain are ranked by their gain ratio.",
        "先从候选属性中找出信息增益不低于平均水平的属性，再从中选择增益率最高的。",
    ),
    "average.wide": (
        "Only columns with at least the average gain are ranked by their gain ratio; columns with very many values are "
        "left out of the average.",
        "先找出信息增益不低于平均水平的属性，再从中选择增益率最高的；取值极多的属性不计入平均。",
    ),
    "naming": ("price of a name", "指明属性的代价"),
    "naming.rule": (
        "Only columns are ranked that gain at least what it takes to name one of the {n} columns that offer a split.",
        "只比较增益不低于“从 {n} 个可划分属性中指明一个”之代价的属性。",
    ),
    "floor": ("floor", "下限"),
    "floor.rule": (
        "On a table of this size the floor is a part of the average and a part of what it takes to name one of the {n} "
        "columns that offer a split. Only columns that gain at least this much are ranked.",
        "对这样大小的数据集，下限由平均增益和“从 {n} 个可划分属性中指明一个”之代价按比例组成；"
        "只比较增益不低于下限的属性。",
    ),
    "gini.rule": (
        "The split of the lowest Gini index has the highest gain, Gini(D) less that index.",
        "基尼指数最小的划分，其增益 Gini(D) − 基尼指数 最大。",
    ),
    "tie": (
        "{name} and {others} tie with the highest {merit}; the one that stands first in the table is taken: {name}.",
        "{name}与{others}的{merit}并列最高，取表中靠前者：{name}。",
    ),
    "wins": (
        "{name} has the highest {merit}, {value}; it leads {second} by {margin}.",
        "{name}的{merit}最高，为 {value}；比{second}高 {margin}。",
    ),
    "only": ("{name} is the only column that can be taken.", "只有{name}可选。"),
    "leaf.pure": ("The node is a leaf: all its rows have one answer.", "该结点为叶结点：样本同属一类。"),
    "leaf.small": (
        "The node is a leaf: it has too few rows to be split.",
        "该结点为叶结点：样本数少于 min_samples_split。",
    ),
    "leaf.deep": (
        "The node is a leaf: it is as deep as max_depth allows.",
        "该结点为叶结点：已达最大深度 max_depth。",
    ),
    "leaf.no candidate": ("The node is a leaf: no column offers a split.", "该结点为叶结点：没有可用的划分属性。"),
    "leaf.little gain": (
        "The node is a leaf: its best split gains less than min_impurity_decrease.",
        "该结点为叶结点：最优划分的增益小于 min_impurity_decrease。",
    ),
    "leaf.pruned": ("The node is a leaf: its split was pruned.", "该结点为叶结点：其划分已被剪去。"),
    "leaf.stopped": (
        "The node is a leaf: its split was taken back, or was not made.",
        "该结点为叶结点：其划分未进行或已撤销。",
    ),
    "raised": (
        "A branch was raised here or above; the arithmetic is that of growth, with the rows of that time.",
        "此处或上方有分支被提升；以下按生长时的样本计算。",
    ),
    "missing.rows": ("Rows with a missing value", "缺失值样本"),
    **{f"missing.{name}": strategy.told for name, strategy in STRATEGIES.items() if strategy.told is not None},
    "share": ("share", "权重比例"),
    "weight.then": ("weight of the branch then", "分支权重"),
    "node": ("node", "结点"),
    "where": ("where", "位置"),
    "asks": ("asks for", "划分属性"),
    "before": ("before", "前"),
    "after": ("after", "后"),
    "chosen": ("chosen", "选中"),
}
