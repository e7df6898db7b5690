/** Finds sentences in code: those that are translated, and those that should be. */
import { type CallExpression, type Node, parse } from "acorn";
import { ancestor } from "acorn-walk";
import { transform } from "esbuild";

/** What a file says to people. */
export interface FileSentences {
  /** keys of translations: first arguments of `t`, both forms of `plural` */
  keys: readonly string[];
  /** singular forms, which a language without them leaves out */
  singulars: readonly string[];
  /** texts that look like sentences and pass by `t` */
  bare: readonly string[];
  /** faults, a sentence each */
  faults: readonly string[];
}

/** @param path its ending tells the language @param text TypeScript, with or without JSX */
export async function sentencesIn(path: string, text: string): Promise<FileSentences> {
  const loader = path.endsWith(".tsx") ? "tsx" : "ts";
  const { code } = await transform(text, { loader, jsx: "automatic", target: "esnext", legalComments: "none" });
  const program = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const [keys, singulars, bare, faults]: [string[], string[], string[], string[]] = [[], [], [], []];
  ancestor(program, {
    CallExpression(call, _, around) {
      const name = calledName(call);
      if (name !== "t" && name !== "plural") return;
      const forms = name === "t" ? call.arguments.slice(0, 1) : call.arguments.slice(1, 3);
      const texts = forms.map(literalsOf);
      if (texts.some(each => each === undefined)) faults.push(`${path}: ${name} is called with what is no literal`);
      if (!around.some(isFunction)) faults.push(`${path}: ${name} is called before a language is loaded`);
      keys.push(...texts.flatMap(each => each ?? []));
      if (name === "plural") singulars.push(...(texts[0] ?? []));
    },
    Literal(node, _, around) {
      if (typeof node.value === "string" && isBare(node.value, around)) bare.push(node.value);
    },
    TemplateLiteral(node, _, around) {
      const written = node.quasis.map(({ value }) => value.cooked ?? "").join("{}");
      if (isBare(written, around)) bare.push(written);
    },
  });
  return { keys, singulars, bare, faults };
}

/** The holes of a sentence, in their order by name. */
export const holesOf = (sentence: string) => [...new Set(sentence.match(/\{\d+\}/g) ?? [])].sort();

/** "t" of `t(…)`; of what is called otherwise its last name */
function calledName({ callee }: CallExpression): string {
  if (callee.type === "Identifier") return callee.name;
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" ? callee.property.name : "";
}

/** The strings that an argument can be: one, or those that a condition chooses among. undefined: something else */
function literalsOf(node: Node): string[] | undefined {
  const { type } = node;
  if (type === "Literal" && "value" in node && typeof node.value === "string") return [node.value];
  if (type === "TemplateLiteral" && "quasis" in node && "expressions" in node) {
    const [quasis, expressions] = [node.quasis as { value: { cooked: string } }[], node.expressions as Node[]];
    return expressions.length === 0 ? quasis.map(({ value }) => value.cooked) : undefined;
  }
  if (type !== "ConditionalExpression" || !("consequent" in node) || !("alternate" in node)) return undefined;
  const [yes, no] = [literalsOf(node.consequent as Node), literalsOf(node.alternate as Node)];
  return yes && no ? [...yes, ...no] : undefined;
}

const isFunction = ({ type }: Node) => /Function/.test(type) || type === "MethodDefinition";

/** Calls whose words are for a log, a developer or a program. */
const notForPeople =
  /^(?:t|plural|log|logged|debug|trace|assert|require|import|test|match|replaceAll|replace|split|startsWith|endsWith|includes|describe|regex|querySelector\w*|matches|closest)$/;

/** Names of an icon and what it does. */
const isIcon = (text: string) => / codicon-/.test(text);

/** `strata show ID`, `--model NAME`: what is typed. */
const isCommandLine = (text: string) => /^(?:strata [a-z]|--[a-z])/.test(text) && !/[.?!:]$/.test(text);

/** A sentence of two words at least that nothing on its way took for a translation, a log or a name. */
function isBare(text: string, around: readonly Node[]): boolean {
  if (!/\p{L}{2,}[,:;.…]? (?:\p{L}|\{\})/u.test(text) || isCommandLine(text) || isIcon(text)) return false;
  if (
    around.some(
      node =>
        node.type === "ImportDeclaration" ||
        (node.type === "ExportNamedDeclaration" && "source" in node && node.source),
    )
  )
    return false;
  return !around.some(node => {
    if (node.type === "CallExpression") return notForPeople.test(calledName(node as CallExpression));
    if (node.type !== "Property" || !("key" in node)) return false;
    const { key } = node as unknown as { key: { name?: string; value?: string } };
    return /^(?:className|d|icon|aria-keyshortcuts)$/.test(key.name ?? key.value ?? "");
  });
}
