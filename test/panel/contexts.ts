/** What a host tells of a context: a session of some turns with a server, rules and a compaction. */
import type { ContextRow, ContextView, RequestLine } from "../../src/shared/contextProtocol";
import type { PanelResult } from "../../src/shared/panelProtocol";
import { START } from "./script";

const row = (
  key: string,
  stratum: ContextRow["stratum"],
  kind: ContextRow["kind"],
  tokens: number,
  more: Partial<ContextRow> = {},
) => ({ key, stratum, kind, tokens, name: "", trust: "strata", ...more }) satisfies ContextRow;
export const turnRow = (turn: number, name: string, tokens: number, more: Partial<ContextRow> = {}) =>
  row(`turn:${turn}`, "conversation", "turn", tokens, { name, turn, trust: "user", ...more });

/** The rows, with the sums that follow from them. */
export function contextOf(rows: ContextRow[], more: Partial<ContextView> = {}): ContextView {
  const sum = (all: readonly ContextRow[]) => all.reduce((total, { tokens }) => total + tokens, 0);
  const strata = [...Map.groupBy(rows, ({ stratum }) => stratum)].map(([stratum, own]) => ({
    stratum,
    tokens: sum(own),
  }));
  const tokens = sum(rows);
  return {
    ...{ counted: Math.round(0.88 * tokens), tokens, window: 200_000, compactAt: 160_000 },
    strata: strata.sort((a, b) => b.tokens - a.tokens),
    ...{ rows, turns: rows.filter(({ kind }) => kind === "turn").length, held: false },
    spent: { input: 1_240_000, output: 21_000, cachedInput: 1_016_000, cost: 1.37 },
    today: 4.92,
    ...more,
  };
}

const fixed = [
  row("tool:Bash", "tools", "tool", 1_204, { name: "Bash" }),
  row("tool:Edit", "tools", "tool", 611, { name: "Edit" }),
  row("tool:Read", "tools", "tool", 402, { name: "Read" }),
  row("server:db", "tools", "server", 2_014, { name: "db", tools: 6, trust: "mcp" }),
  row("prompt:system", "tools", "prompt", 812),
  row("facts", "tools", "facts", 61),
  row("rules:AGENTS.md", "rules", "rules", 30, { name: "AGENTS.md", trust: "rules" }),
];

/** before anything was said */
export const untouched = contextOf(fixed, { spent: { input: 0, output: 0 }, today: 0 });

export const talked = contextOf(
  [
    turnRow(14, "Now run the tests again and tell me which of them still fail on Windows", 1_950),
    turnRow(13, "Why does the first test fail?", 18_412, { folded: 3 }),
    turnRow(12, "Round totals half up, as the tax office wants it", 31_006),
    turnRow(11, "Look at the invoice module", 9_480),
    row("summary:s1", "conversation", "summary", 1_204, { from: 1, turn: 10, at: START, trust: "model" }),
    row("ledger", "conversation", "ledger", 388, { trust: "user" }),
    ...fixed,
    row("message:m1", "rules", "attachment", 840, { name: "problems", turn: 13, trust: "workspace" }),
    row("tail:todo", "tail", "tail", 64, { name: "todo" }),
  ],
  { last: { compactionId: "rec_9", before: 148_000, after: 41_000, can: "undo" } },
);

const none = { count: 0, tokens: 0, first: [] };
export const sentRequest = (number: number, more: Partial<RequestLine> = {}): RequestLine => ({
  ...{ number, turn: 14, step: number, attempt: 1, ts: START },
  ...{ model: "gpt-6-mini", tokens: 60_000 + number, shared: 58_000 },
  ...{ added: none, removed: none, changed: none },
  ...more,
});

export const requests: PanelResult<"sentRequests"> = {
  hasOlder: true,
  unreadable: 0,
  requests: [
    sentRequest(41, {
      step: 2,
      usage: { input: 52_811, output: 240, cachedInput: 51_040, cost: 0.0042 },
      warmUntil: START + 190_000,
      added: {
        count: 2,
        tokens: 1_840,
        first: [
          { kind: "result", name: "npm test: exit 1, 1 of 3 failed", tokens: 1_600, trust: "tool" },
          { kind: "answer", name: "Let me run the tests.", tokens: 240, trust: "model" },
        ],
      },
      changed: { count: 1, tokens: 12, first: [{ kind: "tail", name: "todo", tokens: 64, was: 52, trust: "strata" }] },
    }),
    sentRequest(40, {
      step: 1,
      shared: 9_000,
      cause: "turn-end",
      usage: { input: 51_000, output: 90, cachedInput: 0, cost: 0.021 },
    }),
    sentRequest(39, { turn: 13, purpose: "summary" }),
  ],
};

export const servers: PanelResult<"mcpServers"> = {
  problems: [],
  servers: [
    { ...server("db"), state: "running", tools: { count: 6, tokens: 2_014 } },
    { ...server("files"), state: "running", tools: { count: 9, tokens: 3_300 } },
    { ...server("browser"), state: "off", tools: { count: 21, tokens: 9_400 } },
  ],
};

function server(name: string) {
  const none: string[] = [];
  return {
    name,
    hash: name,
    file: ".mcp.json",
    path: "/ws/.mcp.json",
    level: "workspace" as const,
    target: name,
    environment: none,
    state: "idle" as const,
  };
}
