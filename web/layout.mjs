// What the page takes from the layout libraries: the tidy tree of nodes of any size, which extends d3-hierarchy's.
export { flextree } from "d3-flextree";
