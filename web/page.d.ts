// What the scripts of the page take for granted: the layout bundle, and the name they give themselves in the window.
declare const treewrightLayout: { flextree: (options: object) => any };
interface Window {
  treewright: object;
}
