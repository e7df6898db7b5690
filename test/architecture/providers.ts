/** Names of providers stand in their table alone: what depends on whose model it is has to be a field there. */
import { transform } from "esbuild";
import type { Files } from "./imports";

/** The table, and what says how their servers speak. */
const table = [
  "src/shared/modelProviders.ts",
  ...["openai", "providers", "address"].map(name => `src/models/${name}.ts`),
];

/** What is no provider of ours. */
export const otherUses: Readonly<Record<string, string>> = {
  "src/core/secrets/shapes.ts": "names of shapes of keys, which placeholders have",
  "src/shared/nearAddress.ts": "an address of the network in a cloud",
  "src/shared/obeyedFiles.ts": "files that agents of others obey",
};

const NAME = /\b(?:openai|anthropic|google|gemini|bedrock)\b/i;
const TEXTS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g;

/** Texts of one line in code that name one, a sentence each. @param names of files in which they may */
export async function providersBesideTable(files: Files, others = otherUses): Promise<string[]> {
  const product = [...files].filter(
    ([path]) => /^(?:src|webview-ui\/src)\/.*\.tsx?$/.test(path) && !table.includes(path),
  );
  const found = await Promise.all(
    product.map(async ([path, text]) => {
      // Without comments (esbuild leaves those in expressions) and types; names of modules are none.
      const { code } = await transform(text, { loader: path.endsWith("x") ? "tsx" : "ts", jsx: "preserve" });
      const own = code.replace(/^(?:import|\}) .*|^\s*(?:\/?\*).*|\bimport\(".*?"\)/gm, "");
      return [path, [...own.matchAll(TEXTS)].map(([each]) => each).filter(each => NAME.test(each))] as const;
    }),
  );
  const beside = found.flatMap(([path, texts]) =>
    path in others ? [] : texts.map(text => `${path} names a provider in ${text.slice(0, 80)}`),
  );
  const past = Object.keys(others).filter(path => !found.some(([each, texts]) => each === path && texts.length > 0));
  return [...beside, ...past.map(path => `${path} names no provider: it is no exception`)];
}
