/** Another grammar of the shell: what it takes for the programs of a command. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";

export interface Witness {
  /** names of programs that stand there in plain letters */
  programs: string[];
  /** it could read all of it */
  isSure: boolean;
}

export async function openWitness(): Promise<(command: string) => Witness> {
  const { resolve } = createRequire(import.meta.url);
  await Parser.init({ wasmBinary: await readFile(resolve("web-tree-sitter/web-tree-sitter.wasm")) } as object);
  const language = await Language.load(await readFile(resolve("tree-sitter-bash/tree-sitter-bash.wasm")));
  const parser = new Parser().setLanguage(language);
  return command => {
    const tree = parser.parse(command);
    if (tree === null) return { programs: [], isSure: false };
    const names = tree.rootNode.descendantsOfType("command_name").flatMap(node => (node ? plainName(node) : []));
    const witness = { programs: names, isSure: !tree.rootNode.hasError };
    tree.delete();
    return witness;
  };
}

/** Words of the shell itself; of `time` and `coproc` one grammar says that they are programs, the other that they are none. */
const keywords = new Set(
  "time coproc if then else elif fi for while until do done case esac in function select".split(" "),
);

/** Only what needs no knowledge of quotes and expansions. */
function plainName({ text }: Node): string[] {
  return /^[\w./@%+,:-]+$/.test(text) && !keywords.has(text) ? [text] : [];
}
