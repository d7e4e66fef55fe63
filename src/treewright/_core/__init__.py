"""Compiled kernels, in Cython's pure-Python mode: each file also runs uncompiled, as its own slow twin.

The kernels import nothing from the rest of the package. What they share, with its C types, stands in the `.pxd`
files. Two rules keep both modes equal: integer widths are cast where numpy scalars would not widen, and a struct
is declared, never aliased.

    codes          the numbers behind the names of a plan
    work           everything the growth loop reads and writes, by name
    turn           a table by rows -> its columns: copies, sorted lists, codes
    radix          one column -> packed entries, sorted by value, then label
    sorting        short orders of categories
    distinct       whole numbers of a narrow range -> their places among those that occur
    impurity       stats -> impurity, gain, split information
    ideal          a node -> the most that any split of it can gain
    scan           what the scans of a sorted column have in common
    scan_gini      sorted entries -> best cut: classes by Gini, rows that count once
    scan_two       the same for two classes
    scan_entropy   the same by entropy
    scan_two_entropy  the same by entropy, for two classes
    scan_weighted  the same with weights, and for any criterion
    scan_two_weighted  the same with weights, for two classes
    scan_mean      the same for numbers: squared error
    scan_mean_weighted  the same with weights
    scan_median    the same for numbers: absolute error
    scan_monotone  the same among cuts that keep the order of a monotone tree
    counting       rows -> a table of stats by category
    category       codes -> contingency table -> a branch for each value
    subset         the same in two subsets
    subset_gini    the same by Gini, rows that count once, with running sums of squares
    subset_median  the same for absolute error
    grouping       the same in groups, merged greedily (C4.5)
    agglomerate    the same, merged by the least loss
    binary         the same in two groups, for splits that pay for their description
    charge         what a candidate pays for its description
    coding         values -> codes, as long as they are few
    coded          coded columns and their tallies, by name
    tally          rows -> tallies of coded columns
    tally_slots    which nodes keep their tally
    count_codes    a coded column of a small node -> counts by code
    scan_tally     a tally -> best cut, the same as of a sorted column
    search_coded   a coded number of one node -> its candidate, and the split made of it
    table_coded    a coded category of one node -> its contingency table
    missing        the rows known on a column as a node of their own, and what that means for a gain
    monotone       what children may answer in a monotone tree
    offer          a gain -> a candidate of the whole node
    number         a number of one node -> its candidate
    categories     a category of one node -> its candidate
    column         one column of one node -> its candidate
    choose         the candidates of a node -> the chosen one; the tie rule
    node           a node of the draft: made, filled, measured, closed
    partition      entries of a node -> entries of its children
    note           the chosen candidate -> a split in the draft
    split          a noted split -> children
    pairs          children of two rows at the most -> as much of their lists as is ever looked at
    shares         rows missing on a split -> their weight, spread over the children
    agree          a column -> how well it stands in for a split
    agree_coded    the same for a coded column
    surrogate      the best stand-ins of a split -> a branch for rows missing on it
    monotone_choice  the chosen candidate, once its children keep the order of a monotone tree
    loop           the growth loop
    twig           a subtree grown apart: its rows moved there, its nodes moved back
    finish         a grown draft -> the order of its nodes
    freeze         the same -> what they hold
    below          cuts -> the largest values of their columns that are not above them
    fill           columns of a table -> a block of rows to be routed
    stand_in       a row that misses a value -> the branch its surrogates name
    route          rows -> leaves of a finished tree
    lanes          many usual rows -> the same, side by side
    few            a few ordinary rows, as the user has them -> the same
    route_missing  rows that miss a value -> all branches they go down, and where they end
    bottom_up      numbers of nodes -> sums over branches, verdicts of pruning
    weakest        risks of nodes -> the alpha at which each becomes a leaf
    model_size     losses of nodes -> verdicts by the number of parameters (M5)
    limits         errors of a leaf -> an upper confidence limit
    askers         nodes -> the nearest node above that asks for the same column
    places         everything that raising reads and writes, by name
    row_lists      rows at places, moved from list to list
    raising        places -> leaves, raised branches or splits that stay
    raising_shared the same where rows are shared out
    shared_out     rows missing on a split -> their weight, spread over the branches
    share_store    shares of rows, put away and taken out
    json_text      bytes of a file -> objects, by the rules of JSON
    json_numbers   its numbers, and arrays of them
    json_strings   its strings
"""
