/** Whose code the bundles hold, and under which terms: `ThirdPartyNotices.txt`, which the package carries. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "./console.mjs";

/** Licence, copying, notices of others; not code of that name. */
const TERMS = /^(?:licen[cs]e|copying|notice|third-?party-?notices)[^.]*(?:\.(?:md|txt))?$/i;

/**
 * The folders of the packages that gave bytes to what was built, in order of their names.
 * @param {import("esbuild").Metafile[]} metafiles
 * @returns {string[]}
 */
function bundledFolders(metafiles) {
  const outputs = metafiles.flatMap(({ outputs }) => Object.values(outputs));
  const paths = outputs.flatMap(({ inputs }) => Object.keys(inputs).filter(path => inputs[path].bytesInOutput > 0));
  const folders = paths.flatMap(path => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** @returns {{ name: string, version: string, license: string, homepage: string, terms: string }} */
function describe(folder) {
  const text = file => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  const names = readdirSync(folder);
  const files = names.filter(file => TERMS.test(file)).sort();
  // Some have them at the end of what one reads first.
  const readme = names.find(file => /^readme\.md$/i.test(file));
  const [, atEnd = ""] =
    (readme && files.length === 0 && /^#+ License\n([\s\S]*Copyright[\s\S]*)/m.exec(text(readme))) || [];
  const terms = files.map(text).join("\n\n") || atEnd.trim();
  const isMit = /^The MIT License/.test(terms);
  const { name, version, license = isMit ? "MIT" : undefined, homepage = "" } = JSON.parse(text("package.json"));
  return { name, version, license, homepage, terms };
}

/** Packages whose code stands in the files of another one. Their terms are read where other packages brought them. */
const inlined = {
  "node_modules/@modelcontextprotocol/client": [
    ...["ajv", "ajv-formats", "content-type", "fast-deep-equal", "fast-uri", "json-schema-traverse"],
  ],
};

/** Some packages of a family leave the text to their siblings. */
function withTerms(one, all) {
  const scope = one.name.split("/")[0];
  const sibling = all.find(
    ({ name, license, terms }) => name.startsWith(`${scope}/`) && license === one.license && terms,
  );
  const terms = one.terms || sibling?.terms;
  if (!one.license || !terms) throw new Problem(`${one.name} says nothing of its licence: it cannot be packaged.`);
  return { ...one, terms };
}

/**
 * @param {string} root the project's folder
 * @param {import("esbuild").Metafile[]} metafiles
 */
export function noticesText(root, metafiles) {
  const folders = bundledFolders(metafiles);
  const within = folders.flatMap(folder => (inlined[folder] ?? []).map(name => join("node_modules", name)));
  const found = [...new Set([...folders, ...within])].map(folder => describe(join(root, folder)));
  const packages = found.map(one => withTerms(one, found));
  const byTerms = Map.groupBy(packages, ({ terms }) => terms);
  const parts = [...byTerms].map(([terms, those]) => {
    const names = those.map(({ name, version, license, homepage }) =>
      [`${name} ${version} (${license})`, homepage].filter(word => word !== "").join(" "),
    );
    return `${[...new Set(names)].join("\n")}\n\n${terms}`;
  });
  const line = "-".repeat(80);
  return `${[`Strata contains code of these packages, under the terms below each.`, ...parts].join(`\n\n${line}\n\n`)}\n`;
}
