"""Growing trees: a Dataset and a Plan come in, a Tree goes out. Start reading at `grower`."""
