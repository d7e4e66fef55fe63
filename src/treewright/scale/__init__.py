"""Growth out of core, on Dask, on Spark and inside a database: the same tree from counts.

Growth needs only counts: how many rows, or how much weight, each node has of each value of each column and each class.
Counts are integers that add up, so the tree does not depend on who counts, in what order or in how many parts.

    engine           the contract: what an engine counts; a new engine implements it
    worker           the counting itself: functions of numpy alone, which engines ship to their workers
    reading          Arrow batches on a worker: what they hold, and their codes
    survey           what is found out about the table first: categories, values, bins; the codes of each column
    class_weights    class weights, priors and costs; all weights in units
    cells            the cells that are counted, as rows of a table that the kernels of growth search
    surrogates       splits on other columns that rows with missing values follow, from counts by branch
    levels           where the rows of the nodes of a level go
    tree_levels      rows down a finished tree: the class weights of every node
    growth           the driver: level by level, splits from counts; small subtrees are grown in memory
    subtrees         rows of a node that were fetched: the table that growth in memory takes
    kept_counts      what is kept of each node, so that its candidates can be found later
    node_ledgers     `why` of a tree that was grown on a source: its candidates from kept counts
    leaf_budget      max_leaf_nodes: best-first growth, found out from levels
    raising          error-based pruning with subtree raising, by counting passes; small subtrees are pruned in memory
    raising_trials   the estimated errors of the largest branch of a node in its place
    raising_routes   where rows go for that, in the current tree
    raising_places   the tree while branches are raised
    checkpoint       the state of growth in a file, from which it goes on
    task_counts      what growth needs, as tasks on partitions
    row_parts        parts of the rows, by a hash of each row; several requests in one pass
    lockstep         tasks whose requests are found together
    folds            cross-validation: trees of all folds in the same passes
    validation       validation rows: in another source, or held out
    partitions       what engines with partitions of rows have in common; exact quantiles by counting
    local            files, in batches; the codes are kept on disk
    dask_engine      a Dask DataFrame
    spark_engine     a Spark DataFrame, also over Spark Connect
    shipping, remote functions that are sent to workers by value
    query            a lazy frame of DuckDB, polars or Ibis: statements that count
    query_survey     its survey: exact bins by ranks
    query_frames     what differs between its backends
    source           which engine a source takes
    fitting          `fit` of the estimators on a source
    public           `treewright.fit_source`
    prediction       `predict` on a source
    sql_prediction   the same inside a database
"""
