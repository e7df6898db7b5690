/** A request as people see it: each segment once, to the token. */
import assert from "node:assert/strict";
import { contextRows, strataOf, type ValuedSegment } from "../../../../src/core/context/requests/contextRows";
import type { StrataMessage } from "../../../../src/shared/messages";

const segment = (layer: ValuedSegment["layer"], source: string, tokens: number, more: Partial<ValuedSegment> = {}) =>
  ({ layer, role: "system", source, sha256: "0", tokens, form: "raw", trust: "strata", ...more }) as ValuedSegment;
const message = (id: string, turn: number, parts: StrataMessage["parts"], kind: "normal" | "notice" = "normal") =>
  ({ id, role: "user", parts, metadata: { ts: 1, turn, step: 0, runId: "r", kind } }) as StrataMessage;
const tool = (name: string, letters: number) => ({ name, description: "x".repeat(letters), inputSchema: {} });

const segments = [
  segment("L1", "tools", 901, { role: "tools", value: [tool("Read", 100), tool("Bash", 1000), tool("LS", 10)] }),
  segment("L1", "tools:mcp", 77, {
    role: "tools",
    trust: "mcp",
    value: [tool("db:query", 9), tool("db:list", 9)],
  }),
  segment("L1", "prompt:system", 700),
  segment("L1", "facts", 30),
  segment("L2", "rules:AGENTS.md", 40, { trust: "rules" }),
  segment("L2", "skill:release", 50, { trust: "rules" }),
  segment("L3", "ledger:1", 5, { trust: "user" }),
  segment("L3", "ledger:asked:1", 6, { trust: "model" }),
  segment("L3", "summary:s1", 60, { trust: "model" }),
  segment("L3", "message:m0", 9, { role: "user", trust: "workspace" }),
  segment("L3", "message:m1", 10, { role: "user", trust: "user" }),
  segment("L3", "message:m2", 20, { role: "user", trust: "workspace" }),
  segment("L3", "message:a1", 30, { role: "assistant", trust: "model" }),
  segment("L3", "result:c1", 400, { role: "tool", trust: "tool", form: "folded" }),
  segment("turn", "message:m3", 8, { role: "user", trust: "user" }),
  segment("tail", "tail:todo", 12),
];
const known = {
  messages: [
    message("m0", 3, [{ type: "data-reminder", data: { name: "facts:start", text: "…" } }], "notice"),
    message("m1", 3, [{ type: "text", text: "Fix the\nbuild" }]),
    message("m2", 3, [{ type: "data-reminder", data: { name: "attachment:problems", text: "…" } }], "notice"),
    { ...message("a1", 3, []), role: "assistant" as const },
    message("m3", 4, [{ type: "text", text: "Now test it" }]),
  ],
  summaries: [
    {
      ...{ id: "s1", text: "", sha256: "", startTs: 1, cutoffTs: 1 },
      turns: { from: 1, to: 2 },
      sourceRange: { fromId: "", toId: "", count: 1 },
    },
  ],
};
const rows = contextRows(segments, known, new Map([["s1", 99]]));
const find = (key: string) => rows.find(row => row.key === key);

describe("the context as rows", () => {
  it("holds every token once, and strata the heaviest first", () => {
    const sum = (all: readonly { tokens: number }[]) => all.reduce((total, { tokens }) => total + tokens, 0);
    assert.equal(sum(rows), sum(segments));
    assert.equal(find("facts")?.tokens, 39, "of both places");
    assert.deepEqual(strataOf(rows), [
      { stratum: "tools", tokens: 901 + 77 + 730 + 9 },
      { stratum: "conversation", tokens: 5 + 6 + 60 + 10 + 30 + 400 + 8 },
      { stratum: "rules", tokens: 40 + 50 + 20 },
      { stratum: "tail", tokens: 12 },
    ]);
    assert.deepEqual(
      rows
        .flatMap(({ places }) => places)
        .sort((a, b) => a - b)
        .filter((place, at, all) => all.indexOf(place) === at),
      segments.map((_, at) => at),
    );
  });

  it("has turns from the newest on, with the person's words, what was summarised, and when", () => {
    const talk = rows.filter(({ stratum }) => stratum === "conversation");
    assert.deepEqual(
      talk.map(({ key, name }) => [key, name]),
      [
        ["turn:4", "Now test it"],
        ["turn:3", "Fix the build"],
        ["summary:s1", ""],
        ["ledger", ""],
      ],
    );
    assert.equal(find("turn:3")?.folded, 1);
    assert.deepEqual([find("summary:s1")?.from, find("summary:s1")?.turn, find("summary:s1")?.at], [1, 2, 99]);
  });

  it("prices each tool by its text, and a server as a whole", () => {
    const [bash, read, list] = ["tool:Bash", "tool:Read", "tool:LS"].map(key => find(key)?.tokens ?? 0);
    assert.ok(bash! > read! && read! > list!);
    assert.equal(bash! + read! + list!, 901);
    assert.deepEqual([find("server:db")?.tokens, find("server:db")?.tools, find("server:db")?.trust], [77, 2, "mcp"]);
  });

  it("names attachments and rules with their source and trust", () => {
    assert.deepEqual(
      rows.filter(({ stratum }) => stratum === "rules").map(({ kind, name, trust, turn }) => [kind, name, trust, turn]),
      [
        ["skill", "release", "rules", undefined],
        ["rules", "AGENTS.md", "rules", undefined],
        ["attachment", "problems", "workspace", 3],
      ],
    );
  });
});
