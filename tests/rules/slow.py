"""The slow twin of the generalised rules: c4.5rules from its description alone, in loops over plain Python cases.

In: a grown tree and cases as (cells by column, class code, weight as a whole number). Out: the rules in order with
their numbers and estimates, those left after the polish, the default class and the errors. Nothing is vectorised or
kept: everything is counted anew for every question.
"""

from itertools import count
from math import log2

from treewright.model.tree import THRESHOLD

C = 0.479556
"""The square of the program's quantile at a confidence of 0.25."""
CF = 0.25
SAME = 1e-9


def random_numbers():
    """The C library's random() with seed 1, over 2^31."""
    r = [1]
    for i in range(1, 31):
        r.append(16807 * r[i - 1] % (2**31 - 1))
    for i in range(31, 34):
        r.append(r[i - 31])
    for i in count(34):
        r.append((r[i - 3] + r[i - 31]) % 2**32)
        if i >= 344:
            yield (r[i] >> 1) / 2**31


def pessimistic(t, e):
    """The estimated share of errors of t cases, e of them wrong."""
    if e == 0:
        return 1 - CF ** (1 / t)
    if e + 0.5 >= t:
        return (e + 0.67 * (t - e)) / t
    p = e + 0.5
    return (p + C / 2 + (C * (p * (1 - p / t) + C / 4)) ** 0.5) / (t + C)


def steps_to_leaves(tree, node=0, above=()):
    """(steps, class code) of every leaf with weight; a step is (column, kind, value or cut, low side, node)."""
    children = [c.id for c in tree.node(node).children]
    if not children:
        if tree.weight[node] >= 1 - 1e-9 and node > 0:
            yield above, int(tree.value[node].argmax())
        return
    column = int(tree.column[node])
    for branch, child in enumerate(children):
        if tree.kind[node] == THRESHOLD:
            step = (column, 2, float(tree.threshold[node]), branch == 0, node)
        else:
            own = slice(tree.table_start[node], tree.table_start[node + 1])
            pairs = list(zip(tree.table_code[own].tolist(), tree.table_branch[own].tolist(), strict=True))
            codes = frozenset(c for c in range(tree.schema.columns[column].n_categories)
                              if dict(pairs).get(c, int(tree.other[node])) == branch)  # fmt: skip
            several = len({b for _, b in pairs}) < len(pairs)
            step = (column, 3 if several else 1, codes, None, node)
        yield from steps_to_leaves(tree, child, (*above, step))


def satisfies(cells, step):
    column, kind, value, low, _ = step
    cell = cells[column]
    if cell is None:
        return False
    if kind == 2:
        return cell <= value if low else cell > value
    return cell in value


def counted(cases, steps, code):
    """The cases that satisfy all steps, and those of other classes among them."""
    t = e = 0
    for cells, label, weight in cases:
        if all(satisfies(cells, step) for step in steps):
            t += weight
            e += weight * (label != code)
    return t, e


def shortened(cases, steps, code):
    """The steps that stay and the estimate, or None."""
    total = sum(w for *_, w in cases)
    chance = 1 - (sum(w for _, label, w in cases if label == code) + 1) / (total + 2)

    def judged(some):
        t, e = counted(cases, some, code)
        return (chance, 0.0, t) if t == 0 else (pessimistic(t, e), e / t, t)

    steps = list(steps)
    while steps:
        whole = judged(steps)
        without = [judged(steps[:d] + steps[d + 1 :]) for d in range(len(steps))]
        if not any(p <= whole[0] or a <= whole[1] for p, a, _ in without):
            return (steps, whole[0]) if whole[2] > 0 and whole[0] < chance else None
        lowest = min(p for p, *_ in without)
        del steps[max(d for d in range(len(steps)) if without[d][0] == lowest)]
    return None


def sorted_steps(steps):
    steps = list(steps)
    for i in range(len(steps)):
        best = i
        for j in range(i + 1, len(steps)):
            x, y = steps[j], steps[best]
            cut_x, cut_y = (s[2] if s[1] == 2 else 0 for s in (x, y))
            if x[0] < y[0] or x[1] < y[1] or (x[0] == y[0] and cut_x < cut_y):
                best = j
        steps[i], steps[best] = steps[best], steps[i]
    return steps


def same(a, b):
    """Whether two sorted lists of steps count as one rule."""
    return len(a) == len(b) and all(
        x[:2] == y[:2] and (x[4] == y[4] if x[1] == 3 else x[2] == y[2]) for x, y in zip(a, b, strict=True)
    )


def found_rules(tree, cases):
    """[steps, class code, estimate] in order of acceptance."""
    found = []
    for steps, code in steps_to_leaves(tree):
        short = shortened(cases, steps, code)
        if short is None:
            continue
        left = sorted_steps(short[0])
        earlier = [rule for rule in found if rule[1] == code and same(rule[0], left)]
        if earlier:
            earlier[0][2] = max(earlier[0][2], short[1])
        else:
            found.append([left, code, short[1]])
    return found


def lg_factorial(n):
    return sum(log2(i) for i in range(2, n + 1))


def attribute_bits(tree, cases):
    total = sum(w for *_, w in cases)
    bits = []
    for i, column in enumerate(tree.schema.columns):
        if column.n_categories and column.kind == 2:
            weights = [sum(w for cells, _, w in cases if cells[i] == code) for code in range(column.n_categories)]
            bits.append(sum(w / total * log2(total / w) for w in weights if w))
        else:
            k = len({cells[i] for cells, *_ in cases})
            bits.append(1 + log2(k) / 2 if k > 1 else 0.0)
    whole = sum(bits)
    return bits, -sum(b / whole * log2(b / whole) for b in bits if b) if whole else 0.0


def rule_bits(tree, rule, bits, attribute):
    steps = rule[0]
    named = [tree.schema.columns[s[0]].n_categories if s[1] == 3 else bits[s[0]] for s in steps]
    return sum(attribute + b for b in named) + log2(len(steps)) - lg_factorial(len(steps))


def exceptions(n, e, x):
    if x <= 1e-6:
        return 0.0 if e == 0 else 1e6
    if x >= n - 1e-6:
        return 0.0 if e == n else 1e6
    return -e * log2(x / n) - (n - e) * log2(1 - x / n)


def covered_by(cases, rule):
    """The places of the cases that satisfy a rule."""
    return {i for i, (cells, *_) in enumerate(cases) if all(satisfies(cells, step) for step in rule[0])}


def chosen(tree, cases, found):
    """The places of the rules that stay, by class."""
    bits, attribute = attribute_bits(tree, cases)
    cost = [rule_bits(tree, rule, bits, attribute) for rule in found]
    cover = [set() if rule[2] > 0.7 else covered_by(cases, rule) for rule in found]
    total = sum(w for *_, w in cases)
    draws, stay = random_numbers(), []
    for code in range(tree.schema.target.n_classes):
        mine = [i for i, rule in enumerate(found) if rule[1] == code]

        def value(members, code=code):
            reached = set().union(*(cover[i] for i in members))
            f = sum(cases[i][2] for i in reached)
            fp = sum(cases[i][2] for i in reached if cases[i][1] != code)
            fn = sum(w for i, (_, label, w) in enumerate(cases) if label == code and i not in reached)
            theory = sum(cost[i] for i in members) - lg_factorial(len(members))
            if f > total / 2:
                wrong = exceptions(f, fp, (fp + fn) / 2) + exceptions(total - f, fn, fn)
            else:
                wrong = exceptions(f, fp, fp) + exceptions(total - f, fn, (fp + fn) / 2)
            return theory / 2 + log2(total) + wrong

        stay += subset(mine, value, draws)
    return sorted(stay)


def subset(mine, value, draws):
    if len(mine) <= 10:
        sets = [[i for bit, i in enumerate(mine) if number >> bit & 1] for number in range(2 ** len(mine))]
        return first_least(sets, value)[0]
    best, least = [], float("inf")
    for trial in range(11):
        here = [i for i in mine if next(draws) < trial / 10]
        now = value(here)
        while True:
            if now < least - SAME:
                best, least = here, now
            changed = [sorted({*here} ^ {i}) for i in mine]
            following, then = first_least(changed, value)
            if then >= now - SAME:
                break
            here, now = following, then
    return best


def first_least(sets, value):
    values = [value(members) for members in sets]
    place = next(i for i, v in enumerate(values) if v <= min(values) + SAME)
    return sets[place], values[place]


def generalised(tree, cases):
    """Everything: (listed, kept, default code, errors); rules are (number, steps, code, estimate)."""
    found = found_rules(tree, cases)
    stay = chosen(tree, cases, found)
    cover = {i: covered_by(cases, found[i]) for i in stay}
    left, free, listed = sorted({found[i][1] for i in stay}), set(range(len(cases))), []
    while left:
        reach = {c: set().union(*(cover[i] for i in stay if found[i][1] == c)) for c in left}
        harm = {c: sum(cases[i][2] for i in reach[c] & free if cases[i][1] != c) for c in left}
        following = min(left, key=lambda c: (harm[c], c))
        listed += sorted((i for i in stay if found[i][1] == following), key=lambda i: (found[i][2], i))
        free -= reach[following]
        left.remove(following)
    classes = range(tree.schema.target.n_classes)
    frequency = [sum(w for _, label, w in cases if label == c) for c in classes]
    alone = [sum(cases[i][2] for i in free if cases[i][1] == c) for c in classes]
    default = max(classes, key=lambda c: (alone[c], frequency[c], -c))
    kept = polished(cases, listed, cover, found, default)
    errors = 0
    for i, (_, label, weight) in enumerate(cases):
        first = next((found[r][1] for r in kept if i in cover[r]), default)
        errors += weight * (first != label)
    rules = {i: (i + 1, found[i][0], found[i][1], found[i][2]) for i in stay}
    return [rules[i] for i in listed], [rules[i] for i in kept], default, errors


def polished(cases, listed, cover, found, default):
    kept = list(listed)
    while True:
        balance = dict.fromkeys(kept, 0)
        for i, (_, label, weight) in enumerate(cases):
            met = [r for r in kept if i in cover[r]]
            if not met:
                continue
            said = found[met[0]][1]
            instead = found[met[1]][1] if len(met) > 1 else default
            if said != instead:
                balance[met[0]] += weight if said == label else -weight if instead == label else 0
        worse = [r for r in kept if balance[r] < 0]
        if not worse:
            return kept
        kept.remove(worse[0])
