/** Who may import whom: the table of ARCHITECTURE.md, as data. A pattern is an exact name, or a beginning with `*`. */
import { transform } from "esbuild";
import { cyclesOf, importsOf } from "./imports";

type Room = { may: readonly string[]; types?: readonly string[] };

/** Small, pure, no I/O: what core may use beside zod. */
const pureLibraries = ["diff", "fuzzysort", "node-diff3", "jsonc-parser"];
const uiLibraries = [
  "react",
  "react-dom",
  "react-dom/*",
  "react/*",
  "marked",
  "highlight.js",
  "highlight.js/*",
  "@vscode/codicons/*",
];

/** The first room whose beginning fits counts, so narrow ones come first. */
const rooms: Record<string, Room> = {
  "src/shared/": { may: ["src/shared/*", "zod"], types: ["ai"] },
  "src/core/requests/modelStep.ts": { may: ["src/shared/*", "src/core/*", "zod", "ai"] },
  "src/core/": { may: ["src/shared/*", "src/core/*", "zod", "prompts/*", ...pureLibraries], types: ["ai"] },
  "src/models/": { may: ["src/models/*", "src/shared/*", "src/core/ports/*", "prompts/*", "ai", "@ai-sdk/*", "zod"] },
  "src/node/": {
    may: [
      ...["src/node/*", "src/shared/*", "src/core/ports/*"],
      ...["node:*", "zod", "@modelcontextprotocol/sdk/*", "@vscode/ripgrep"],
    ],
  },
  "src/vscode/": {
    may: ["src/vscode/*", "src/shared/*", "src/core/*", "src/models/*", "vscode", "vscode-languageclient/*", "zod"],
  },
  "src/terminal/": { may: ["src/terminal/*", "src/shared/*", "src/core/*", "node:*", "jsonc-parser"] },
  "src/mentionServer/": {
    may: [
      ...["src/mentionServer/*", "src/shared/*", "src/core/mentions/*"],
      ...["vscode-languageserver/*", "vscode-languageserver-textdocument", "zod"],
    ],
  },
  "src/extension.ts": { may: ["src/*", "node:*", "vscode"] },
  "src/cli.ts": { may: ["src/*", "node:*", "package.json"] },
  "src/bin/": { may: ["node:*", "src/bin/cli/main.mjs"] },
  "webview-ui/": { may: ["webview-ui/*", "src/shared/*", "zod", ...uiLibraries] },
};

const roots = ["src/extension.ts", "src/cli.ts", "src/mentionServer/main.ts"];
export const maxLines = 400;

/**
 * Everything in the tree that breaks a rule, a sentence each.
 * @param files path relative to the project → text; product, tests and scripts
 */
export function violations(files: ReadonlyMap<string, string>): string[] {
  const imports = importsOf(new Map([...files].filter(([path]) => isProduct(path))));
  return [
    ...imports.flatMap(({ from, to, typeOnly }) =>
      allowed(from, to, typeOnly) ? [] : [`${from} must not import ${to}`],
    ),
    ...cyclesOf(imports).map(cycle => `import cycle: ${cycle}`),
    ...[...files].flatMap(([path, text]) => tooLong(path, text)),
  ];
}

export function isProduct(path: string): boolean {
  return path.startsWith("src/") || path.startsWith("webview-ui/");
}

function allowed(from: string, to: string, typeOnly: boolean): boolean {
  if (roots.includes(to)) return false;
  const room = Object.entries(rooms).find(([beginning]) => from.startsWith(beginning))?.[1];
  if (!room) return false;
  return [...room.may, ...(typeOnly ? (room.types ?? []) : [])].some(pattern => fits(pattern, to));
}

function fits(pattern: string, name: string): boolean {
  if (!pattern.endsWith("*")) return pattern === name;
  const beginning = pattern.slice(0, -1);
  return name.startsWith(beginning) || name === beginning.replace(/\/$/, "");
}

function tooLong(path: string, text: string): string[] {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return lines > maxLines ? [`${path} has ${lines} lines, ${maxLines} are the limit`] : [];
}

const nodeGlobals = [
  "process",
  "Buffer",
  "require",
  "module",
  "__dirname",
  "__filename",
  "global",
  "fetch",
  "WebSocket",
];

/** Globals of Node or of the network that a core file uses; locals of the same name do not count (esbuild tells). */
export async function forbiddenGlobals(path: string, text: string): Promise<string[]> {
  const mark = (name: string) => `forbidden_global_${name}`;
  const define = Object.fromEntries(
    nodeGlobals.flatMap(name => [
      [name, mark(name)],
      [`globalThis.${name}`, mark(name)],
    ]),
  );
  const { code } = await transform(text, { loader: "ts", define, sourcefile: path });
  return nodeGlobals
    .filter(name => new RegExp(`\\b${mark(name)}\\b`).test(code))
    .map(name => `${path} uses the global ${name}`);
}
