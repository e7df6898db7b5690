/** The law of ARCHITECTURE.md as data: who may import whom, in which order rooms stand, how long a file may be. */
import { transform } from "esbuild";
import { circlesOfFiles, circlesOfRooms } from "./circles";
import { absentCitations } from "./citations";
import { unusedExports } from "./exports";
import { type Files, type Import, importsOf } from "./imports";
import { type Layers, layerBreaks } from "./layers";

/** What a room may import, and what by types only. A pattern is an exact name, or a beginning with `*`. */
type Room = { may: readonly string[]; types?: readonly string[] };

/** Small, pure, no I/O: what core may use beside zod. */
const pureLibraries = ["diff", "jsonc-parser", "yaml"];
const uiLibraries = [
  "diff",
  "react",
  "react-dom",
  "react-dom/*",
  "react/*",
  "marked",
  "highlight.js",
  "katex",
  "mermaid",
  "highlight.js/*",
  "@vscode/codicons/*",
];

/** The first room whose beginning fits counts, so narrow ones come first. */
const rooms: Record<string, Room> = {
  "src/shared/l10n.ts": { may: ["@vscode/l10n"] },
  "src/shared/": { may: ["src/shared/*", "zod"], types: ["ai"] },
  "src/core/": { may: ["src/shared/*", "src/core/*", "zod", "prompts/*", ...pureLibraries], types: ["ai"] },
  "src/models/": {
    may: [
      ...["src/models/*", "src/shared/*", "src/core/ground/ports/*", "prompts/*"],
      ...["@ai-sdk/*", "zod", "jsonrepair", "eventsource-parser", "#model-data"],
    ],
  },
  "src/node/legacyEncodings.ts": { may: ["jschardet"] },
  "src/node/pictures/worker.ts": { may: ["src/node/pictures/*", "node:*", "@silvia-odwyer/photon-node"] },
  "src/node/": {
    may: ["src/node/*", "src/shared/*", "src/core/ground/ports/*", "node:*", "zod", "@vscode/ripgrep"],
  },
  "src/mcp/": {
    may: [
      ...[
        "src/mcp/*",
        "src/node/*",
        "src/shared/*",
        "src/core/ground/ports/*",
        "src/core/ground/text/*",
        "src/core/tool/*",
      ],
      ...["prompts/*", "node:*", "zod", "jsonc-parser", "cross-spawn", "@modelcontextprotocol/client*"],
    ],
  },
  "src/vscode/": {
    may: ["src/vscode/*", "src/shared/*", "src/core/*", "src/models/*", "vscode", "zod", "fuzzysort"],
  },
  "src/terminal/": {
    may: ["src/terminal/*", "src/node/*", "src/shared/*", "src/core/*", "node:*", "jsonc-parser"],
  },
  "src/channel/": {
    may: [
      ...["src/channel/*", "src/node/*", "src/terminal/questionText.ts", "src/shared/*", "src/core/*"],
      ...["prompts/*", "zod", "node:*", "grammy/web"],
    ],
    types: ["grammy/types"],
  },
  "src/extension.ts": { may: ["src/*", "node:*", "vscode"] },
  "src/extension/": { may: ["src/*", "node:*", "vscode", "scripts/offline-model/server.mjs"] },
  "src/cli.ts": { may: ["src/*", "node:*", "package.json"] },
  "src/cli/": { may: ["src/*", "node:*", "package.json"] },
  "src/bin/": { may: ["node:*", "src/bin/cli/main.js"] },
  "webview-ui/": { may: ["webview-ui/*", "src/shared/*", "zod", ...uiLibraries] },
};

export const roots = [
  ...[
    "src/extension.ts",
    "src/cli.ts",
    "src/node/pictures/worker.ts",
    "webview-ui/src/main.tsx",
    "webview-ui/src/firstPicture.tsx",
  ],
  // the bundler has every element of the panel made by it
  "webview-ui/src/jsx.ts",
];
/** What the composition roots load late, behind one `import()`: parts of them, so they belong to no room. */
const lateRoots = ["src/node/adapters.ts", "src/vscode/agent.ts"];

/** Rooms within core, from the bottom up. A folder in a room has a place of its own beside the room's files. */
export const roomsOfCore = [
  ...["ground/ports", "ground/text", "secrets", "permissions"],
  ...["log/plans", "log", "log/ledger", "tool", "guidance/skills", "guidance/hooks"],
  ...["context", "context/requests", "context/compaction"],
  ...["changes/diagnostics", "changes/edits", "changes/timeline", "changes/review", "changes/rewind", "changes"],
  ...["mentions", "mentions/attachments", "proof", "commands/output", "commands", "looking"],
  ...["agent/smallCalls", "agent/claims", "agent/tools", "agent/delegation", "agent", "agent/session"],
];

/** Rooms within the panel, from the bottom up. */
const roomsOfPanel = ["styles", "bridge", "text", "store", "panel", "mentions", "controls", "markdown", "components"];

/** Rooms of the editor's side, from the bottom up. */
const roomsOfEditor = [
  "platform",
  "models",
  "editor",
  "files",
  "search",
  "code",
  "attachments",
  "mentions",
  "panel",
  "review",
  "commands",
];

const layers: readonly Layers[] = [
  { under: "src/core/", order: roomsOfCore },
  {
    under: "src/vscode/",
    order: roomsOfEditor,
    roots: ["src/vscode/agent.ts"],
  },
  { under: "webview-ui/src/", order: roomsOfPanel, roots },
];

export const maxLines = 400;

/**
 * Everything in the tree that breaks a rule, a sentence each.
 * @param files path relative to the project → text; product, tests, benches and scripts
 * @param documents paths of the documents that comments may cite
 */
export function violations(files: Files, documents: readonly string[] = []): string[] {
  const imports = importsOf(new Map([...files].filter(([path]) => isProduct(path))));
  return [
    ...imports.filter(each => !allowed(each)).map(({ from, to }) => `${from} must not import ${to}`),
    ...layers.flatMap(each => layerBreaks(imports, each)),
    ...circlesOfFiles(imports).map(circle => `import cycle: ${circle}`),
    ...circlesOfRooms(imports.filter(({ from }) => !lateRoots.includes(from))).map(
      circle => `circle of rooms: ${circle}`,
    ),
    ...unusedExports(files, path => isProduct(path) && !roots.includes(path)).map(words => `unused export: ${words}`),
    ...absentCitations(withoutSamples(files), documents).map(words => `absent document: ${words}`),
    ...[...files].flatMap(([path, text]) => tooLong(path, text)),
  ];
}

/** The rules' own test cites what is not there. */
function withoutSamples(files: Files): Files {
  return new Map([...files].filter(([path]) => path !== "test/architecture.test.ts"));
}

function isProduct(path: string): boolean {
  return path.startsWith("src/") || path.startsWith("webview-ui/");
}

function allowed({ from, to, typeOnly }: Import): boolean {
  if (roots.includes(to)) return false;
  if (lateRoots.includes(to)) return roots.includes(from) || from.startsWith("src/extension/");
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
