"""Phrases about pruning, in English and in Chinese.

In: nothing. Out: by key the phrase in each language, with {names} for the pieces that are put in. The Chinese words are
those of Zhou's and Li Hang's textbooks.
"""

PRUNING: dict[str, tuple[str, str]] = {
    "pruning": ("Pruning: {method}", "剪枝：{method}"),
    "method.error_based": ("error-based (C4.5)", "基于误差的剪枝（C4.5）"),
    "method.pessimistic": ("pessimistic", "悲观剪枝"),
    "method.reduced_error": ("reduced error", "后剪枝（降低错误剪枝）"),
    "method.pre_pruning": ("pre-pruning", "预剪枝"),
    "method.cost_complexity": ("cost-complexity (CART)", "代价复杂度剪枝（CART）"),
    "method.minimum_error": ("minimum error", "最小错误剪枝"),
    "method.critical_value": ("critical value", "临界值剪枝"),
    "method.mdl": ("description length", "最小描述长度剪枝"),
    "method.global": ("global, within a budget of errors", "全局剪枝（误差预算）"),
    "method.same_decision": ("same decision", "合并相同结论的叶结点"),
    "not.visited": (
        "Nothing was decided at this node: a node above it became a leaf first.",
        "没有对此结点作出决策：其上方的结点已先成为叶结点。",
    ),
    "as.leaf": ("As a leaf:", "作为叶结点："),
    "as.subtree": ("As a subtree:", "作为子树："),
    "as.subtree.is": ("The branches together: {number}", "各分支合计：{number}"),
    "subtree": ("subtree", "子树"),
    "plain.leaf": ("As a leaf: {number}", "作为叶结点：{number}"),
    "plain.subtree": ("As a subtree: {number}", "作为子树：{number}"),
    "verdict.pruned": ("The node becomes a leaf.", "剪枝：该结点变为叶结点。"),
    "verdict.kept": ("The node keeps its split.", "保留：该结点不剪枝。"),
    "verdict.raised": ("The largest branch takes the place of the node.", "提升：最大的分支取代该结点。"),
    # error-based
    "ebp.rule": (
        "A leaf with E errors among N rows is expected to make N·U(E, N) errors, where U is an upper limit of its "
        "error rate at CF = {cf} ({limit}).",
        "含 N 个样本、其中 E 个错分的叶结点，预计错分 N·U(E, N) 个；U 是错误率在 CF = {cf} 下的置信上限（{limit}）。",
    ),
    "ebp.branch": (
        "With the largest branch in the place of the node: {number}",
        "以最大的分支取代该结点：{number}",
    ),
    "limit.exact": ("by the binomial distribution", "二项分布"),
    "limit.release8": ("normal approximation of C4.5 Release 8", "C4.5 Release 8 的正态近似"),
    "limit.weka": ("normal approximation of Weka", "Weka 的正态近似"),
    "z.release8": (
        "z is read from a small table of the normal distribution, along a straight line between two entries:",
        "z 由正态分布的小表在相邻两项之间线性插值得到：",
    ),
    "z.weka": ("z is the quantile of the normal distribution at 1 − {cf}:", "z 是正态分布在 1 − {cf} 处的分位数："),
    "binomial": (
        "U is the error rate at which no more errors than {errors} have a probability of CF:",
        "U 是使错分不超过 {errors} 个的概率恰为 CF 的错误率：",
    ),
    "binomial.beta": (
        "U is the error rate at which so few errors have a probability of CF, by the incomplete beta function:",
        "U 是使错分如此之少的概率恰为 CF 的错误率，由不完全 Beta 函数求得：",
    ),
    "limit.all": ("E + 0.5 reaches N, so every row is expected to be an error:", "E + 0.5 达到 N，故预计全部错分："),
    "limit.nearly": (
        "E + 0.5 reaches N, where the approximation ends; 0.67 of the other rows are expected to be errors:",
        "E + 0.5 达到 N，近似不再适用；预计其余样本的 0.67 也会错分：",
    ),
    # pessimistic
    "pep.rule": (
        "Training errors flatter a tree, so {penalty} of an error is added for each leaf. A leaf is taken when its "
        "number is not above S and the standard error SE.",
        "训练误差偏于乐观，故每个叶结点加 {penalty} 个错分。叶结点的数不超过 S 与标准误差 SE 之和时剪枝。",
    ),
    "m5.rule": (
        "The error is multiplied by (n + {m}v)/(n − v) for n rows and v parameters.",
        "n 个样本、v 个参数时，误差乘以 (n + {m}v)/(n − v)。",
    ),
    "m5.subtree": ("As a subtree, with v = {v} and an error of {number}:", "作为子树，v = {v}，误差为 {number}："),
    # validation rows
    "rep.rule": (
        "From the bottom up, each node is tried as a leaf and judged by the validation rows.",
        "自底向上，逐个考察将结点替换为叶结点后验证集上的表现。",
    ),
    "pre.rule": (
        "From the root down, each split is tried and judged by the validation rows, its branches as leaves.",
        "自顶向下，划分前先估计：各分支作为叶结点时验证集上的表现。",
    ),
    "validation.leaf": ("Validation errors of the node as a leaf: {number}", "作为叶结点，验证集错分：{number}"),
    "validation.subtree": ("Validation errors of its subtree: {number}", "作为子树，验证集错分：{number}"),
    "validation.split": ("Validation errors of its branches as leaves: {number}", "划分后，验证集错分：{number}"),
    "rep.before.accuracy": ("validation accuracy before pruning", "剪枝前验证集精度"),
    "rep.after.accuracy": ("validation accuracy after pruning", "剪枝后验证集精度"),
    "rep.before.cost": ("validation cost before pruning", "剪枝前验证集代价"),
    "rep.after.cost": ("validation cost after pruning", "剪枝后验证集代价"),
    "rep.before.loss": ("validation squared error before pruning", "剪枝前验证集平方误差"),
    "rep.after.loss": ("validation squared error after pruning", "剪枝后验证集平方误差"),
    "pre.before.accuracy": ("validation accuracy before the split", "划分前验证集精度"),
    "pre.after.accuracy": ("validation accuracy after the split", "划分后验证集精度"),
    "pre.before.loss": ("validation squared error before the split", "划分前验证集平方误差"),
    "pre.after.loss": ("validation squared error after the split", "划分后验证集平方误差"),
    "better": ("The tree gets better.", "性能提升。"),
    "worse": ("The tree gets worse.", "性能下降。"),
    "equal": ("The tree gets neither better nor worse.", "性能不变。"),
    "rep.made": ("Post-pruning decision: prune.", "后剪枝决策：剪枝。"),
    "rep.not": ("Post-pruning decision: keep the split.", "后剪枝决策：不剪枝。"),
    "pre.made": ("Pre-pruning decision: split.", "预剪枝决策：划分。"),
    "pre.not": ("Pre-pruning decision: do not split.", "预剪枝决策：禁止划分。"),
    "rep.step.made": ("pruned", "剪枝"),
    "rep.step.not": ("kept", "保留"),
    "pre.step.made": ("split", "划分"),
    "pre.step.not": ("not split", "禁止划分"),
    "walk": ("All decisions, in the order in which they were made:", "全部决策，按先后顺序："),
    "rep.ends": (
        "On the validation rows the whole tree goes from {first} to {last}.",
        "在验证集上，整棵树由 {first} 变为 {last}。",
    ),
    "pre.ends": (
        "On the validation rows the tree goes from {first}, the root as a leaf, to {last}.",
        "在验证集上，由根结点为叶时的 {first} 变为 {last}。",
    ),
    "training.grown": ("training accuracy of the grown tree", "未剪枝决策树的训练集精度"),
    "training.left": ("training accuracy of the pruned tree", "剪枝后决策树的训练集精度"),
    "more.steps": ("… {n} more decisions", "… 另有 {n} 个决策"),
    # minimum error
    "mep.laplace": (
        "The expected error of a node with n rows, n_c of them of its class, is (n − n_c + k − 1)/(n + k), k = {k} "
        "classes (Laplace).",
        "含 n 个样本、其中 n_c 个属于其类别的结点，期望错误率为 (n − n_c + k − 1)/(n + k)，"
        "类别数 k = {k}（拉普拉斯）。",
    ),
    "mep.m": (
        "The expected error of a node with n rows, n_c of them of its class, is (n − n_c + (1 − p)m)/(n + m), p the "
        "prior of that class and m = {m}.",
        "含 n 个样本、其中 n_c 个属于其类别的结点，期望错误率为 (n − n_c + (1 − p)m)/(n + m)，p 为该类先验，m = {m}。",
    ),
    # cost-complexity
    "ccp.rule.error": (
        "R is the share of the training rows that are answered wrongly (for regression the mean loss); each leaf "
        "costs α.",
        "R 为训练集错分比例（回归：平均损失），每个叶结点的代价为 α。",
    ),
    "ccp.rule.impurity": (
        "R is the impurity, by rows; each leaf costs α.",
        "R 为按样本加权的不纯度，每个叶结点的代价为 α。",
    ),
    "ccp.link": ("What each leaf saves:", "每个叶结点带来的误差减少："),
    "ccp.weaker": (
        "What each leaf saves, once weaker links below are gone:",
        "剪去更弱的子树之后，每个叶结点带来的误差减少：",
    ),
    "ccp.alpha": ("The node becomes a leaf from α = {alpha} on.", "从 α = {alpha} 起该结点变为叶结点。"),
    "ccp.at": ("At α = {alpha}:", "取 α = {alpha}："),
    # critical value
    "cvp.rule": (
        "G = 2N·IM, with IM the information gain in natural units; without any relation to the classes it is spread "
        "like χ².",
        "G = 2N·IM，IM 为以自然对数计的信息增益；若与类别无关，则 G 近似服从 χ² 分布。",
    ),
    "cvp.merit": (
        "The strength of a split is the number its column was chosen by.",
        "划分的强度即选择该属性所用的数值。",
    ),
    "cvp.below": (
        "Its own split has {own}; the strongest one, itself or below it, has {best}.",
        "该结点的划分为 {own}；它及其下方最强的划分为 {best}。",
    ),
    "cvp.pruned": (
        "Neither its split nor any below it is strong enough: the node becomes a leaf.",
        "该结点及其下方的划分均不够强：剪枝，变为叶结点。",
    ),
    "cvp.kept": (
        "Its split, or one below it, is strong enough: the node keeps its split.",
        "该结点或其下方有足够强的划分：保留。",
    ),
    "cvp.tree": ("The G of the whole tree is the sum over its splits:", "整棵树的 G 为各划分之和："),
    "cvp.series": ("The trees that rising critical values make:", "临界值升高所得的一系列树："),
    "cut-off": ("critical value", "临界值"),
    "leaves": ("leaves", "叶结点数"),
    "degrees": ("df", "自由度"),
    "more.trees": ("… {n} more trees", "… 另有 {n} 棵树"),
    # description length
    "mdl.rule": (
        "Bits for a message that names the classes of the rows; there are k = {k} classes. A node takes 1 bit, a split "
        "the bits of its test.",
        "传送各样本类别所需的比特数，类别数 k = {k}。每个结点 1 比特，划分另加其测试的比特数。",
    ),
    "mdl.counted": (
        "So few rows that the code is counted out (Krichevsky and Trofimov): {number}",
        "样本很少，直接按编码计数（Krichevsky–Trofimov）：{number}",
    ),
    "bits": ("bits", "比特"),
    "test": ("test", "测试"),
    # global
    "global.rule": (
        "The nodes that add the fewest errors for each leaf saved are cut first, as long as the training errors of the "
        "whole tree do not rise by more than the budget B. The tree made E errors among N rows.",
        "先剪去每省一个叶结点所增误差最少的结点，只要整棵树的训练误差的增加不超过预算 B。"
        "该树在 N 个样本上有 E 个错分。",
    ),
    "global.rule.number": (
        "The nodes that add the least loss for each leaf saved are cut first, as long as the training loss of the "
        "whole tree, E, does not rise by more than the budget B, its standard error with normal errors in each leaf.",
        "先剪去每省一个叶结点所增损失最少的结点，只要整棵树的训练损失 E 的增加不超过预算 B"
        "（其标准误差，按各叶结点内误差为正态计）。",
    ),
    "global.each": (
        "The node goes at {number} more for each leaf saved; leaves of the tree then: {n}.",
        "每省一个叶结点增加 {number} 时剪去该结点；此时树的叶结点数：{n}。",
    ),
    "global.after": ("Loss of the whole tree then, against E and the budget:", "此时整棵树的损失，与 E 加预算相比："),
    # same decision
    "same.rule": (
        "A node becomes a leaf when every leaf below it gives the node's own answer; the number is how many do not.",
        "若其下所有叶结点的结论都与该结点相同，则剪枝；该数为结论不同的叶结点数。",
    ),
    "same.rule.number": (
        "A node becomes a leaf when every leaf below it gives the node's own answer; the number is how far the "
        "furthest one is off.",
        "若其下所有叶结点的结论都与该结点相同，则剪枝；该数为相差最远者的差。",
    ),
}
