// Bundles layout.mjs into ../src/treewright/page/assets/layout.js, with the licences of what is inside at its top,
// and writes the same licences beside it. Run by `npm run build`; the same sources give the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const assets = "../src/treewright/page/assets/";
const packages = ["d3-hierarchy", "d3-flextree"];

const licences = packages.map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trimEnd();
  return `${name} ${version}\n${"-".repeat(60)}\n${text}\n`;
});
const intro = "The file layout.js is a bundle of these packages; it is made by web/build.mjs.\n\n";
const notice = intro + licences.join("\n\n").replace(/[ \t]+$/gm, "");

// d3-flextree reads its own package.json for the sake of one number.
const onlyVersion = {
  name: "only-version",
  setup(builder) {
    builder.onLoad({ filter: /package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

await build({
  entryPoints: ["layout.mjs"],
  outfile: `${assets}layout.js`,
  bundle: true,
  format: "iife",
  globalName: "treewrightLayout",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  banner: { js: `/*\n${notice}*/` },
  plugins: [onlyVersion],
});
writeFileSync(`${assets}LICENSES.txt`, notice);
