/** The panel in Chinese: of what the host did not send, no word on the page is English. Pictures of it: test/out/panel-chinese-*.png. */
import assert from "node:assert/strict";
import type { McpLists, McpServerRow } from "../../src/shared/mcp";
import { knownLocalTitles, ownFacts } from "../../src/shared/modelProviders";
import type { PanelResult } from "../../src/shared/panelProtocol";
import { changing, changingFiles } from "./changedFiles";
import { requests, servers, talked } from "./contexts";
import { looksTest, pictureEverywhere } from "./look";
import { openPanel, type PanelOptions, type PanelPage, panelTest } from "./panel";
import { asking, commandAction, editAction, fixed, fixing, preview, testOutput } from "./scenes";
import { guessing, Script, START, snapshot, surroundings } from "./script";

/** Names of keys, products and formats are the same in Chinese; "k" and "kB" are units. */
const names =
  /^(?:strata|mcp|api|key|vs|code|git|github|copilot|markdown|json|yaml|html|png|jpeg|gif|webp|enter|esc|tab|shift|alt|ctrl|url|id|md|vscode|diff|mb|kb|gb|usd|agents|autosize)$/i;

const words = (text: string) => text.match(/[A-Za-z][A-Za-z'’]+/g) ?? [];

/** The words in all texts of a value, and in names of its fields: a call's input is shown with them. */
function wordsIn(value: unknown): Set<string> {
  const found = new Set<string>();
  JSON.stringify(value, (name, part) => {
    for (const text of [name, part]) for (const word of words(String(text))) found.add(word.toLowerCase());
    return part;
  });
  return found;
}

/** What the fake host says of its own accord. */
const GIVEN = "What the tool gave, whole.";

/** Texts and names of all that is on the page, seen or only heard. */
const textsOf = ({ page }: PanelPage) =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element)
        for (const name of ["aria-label", "title", "placeholder", "aria-description", "alt", "aria-valuetext"])
          found.push(node.getAttribute(name) ?? "");
      else if (!node.parentElement?.closest("script, style")) found.push(node.nodeValue ?? "");
    }
    return found.filter(Boolean);
  });

/** Opens what is closed and keeps the page as it is: rows, details, lists. */
async function openAll({ page, settle }: PanelPage): Promise<void> {
  await page.evaluate(() => {
    for (const toggle of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]:not([aria-haspopup])'))
      toggle.click();
  });
  await settle();
}

async function check(
  name: string,
  options: PanelOptions,
  then?: (panel: PanelPage) => Promise<unknown>,
): Promise<void> {
  const given = {
    snapshot: {},
    ...options,
    results: { previewRewind: { ...preview, stays: ["large.bin"] }, ...options.results },
  };
  const panel = await openPanel({ now: START + 192_000, language: "zh-cn", ...given });
  await panel.settle();
  const played = await then?.(panel);
  const sent = wordsIn([GIVEN, ownFacts, knownLocalTitles, given, played]);
  const isForeign = (word: string) => !sent.has(word.toLowerCase()) && !names.test(word);
  const english = async () => (await textsOf(panel)).filter(text => words(text).some(isForeign));
  const found = [...(await english())];
  for (let layer = 0; layer < 3; layer++) {
    await openAll(panel);
    found.push(...(await english()));
  }
  await panel.screenshot(`chinese-${name.replaceAll(" ", "-")}`);
  assert.deepEqual([...new Set(found)], []);
  await pictureEverywhere(panel, `chinese-${name.replaceAll(" ", "-")}`, options);
}

const session = (script: Script, more = {}) => snapshot({ title: "修复失败的测试", records: script.records, ...more });

/** Plays what a script has from now on. @returns it */
async function play(panel: PanelPage, script: Script): Promise<unknown> {
  const events = script.take();
  await panel.play(events);
  return events;
}

function command(): Script {
  const script = fixing()
    .request("r9")
    .answer("r9", "", [["c9", "Bash", { command: "npm test" }]]);
  const detail = { type: "command" as const, command: "npm test", cwd: "/code/invoices", sandbox: { kind: "sandbox" } };
  return script.approval("a", { ...commandAction, callId: "c9", rules: [["Bash(npm test)"]], detail });
}

function form(): Script {
  const options = ["SQLite", "Postgres"].map(label => ({ value: label, label }));
  const script = new Script()
    .user("plan")
    .request("r")
    .answer("r", "", [["q", "AskUser", { questions: [] }]]);
  const field = { type: "choice" as const, name: "store", title: "哪个？", required: true, ownWords: true };
  return script.question("qst", "q", "AskUser", { fields: [{ ...field, multiple: false, options }] });
}

function running(): Script {
  const script = fixing();
  script.take();
  script.request("req_4", 41_200).reasoning("req_4", "想一想").text("req_4", "再运行一次");
  script.answer("req_4", "再运行一次", [["call_again", "Bash", { command: "npm test" }]], "Run.");
  script.start("call_again", "Bash", "Run `npm test`").output("call_again", testOutput);
  return script.pending("p1", "added", "queue", "then update the changelog");
}

const mcpRow = (name: string, changes: Partial<McpServerRow>): McpServerRow => ({
  ...{ name, hash: name, file: ".vscode/mcp.json", path: "/ws/.vscode/mcp.json", level: "workspace" },
  ...{ target: "npx", environment: ["TOKEN"], state: "idle" },
  ...changes,
});
const mcpRows = [
  mcpRow("one", { state: "running", agreed: true, identity: "x 1", tools: { count: 2, tokens: 612 } }),
  mcpRow("two", {
    state: "unasked",
    question: {
      reason: "",
      detail: { server: "two", command: "npx", args: ["y"], folder: "/z", environment: ["TOKEN"] },
    },
  }),
  mcpRow("three", { target: "https://tickets.example/mcp", state: "signed-out", signedIn: false }),
  mcpRow("four", { state: "signing-in", signInAt: "https://login.example" }),
  mcpRow("five", { state: "failed", error: "坏了" }),
  mcpRow("six", { state: "off" }),
  mcpRow("seven", { state: "starting" }),
];
const approval = { key: "k", question: { words: ["钩子以你的身份运行。"], exact: "{}" } };
const toolsShown: PanelResult<"tools"> = {
  sections: [{ name: "hooks", rows: [{ name: "钩子", icon: "question", state: "需要批准", approval }], none: "" }],
};
const mcpLists: McpLists = {
  tools: [{ name: "one:读取文件", description: "读", tokens: 280, off: true }],
  prompts: [{ name: "tidy", description: "理" }],
  resources: [{ name: "Readme", uri: "file:///r" }],
};

const rounds = { summarised: 12, kept: 10, pinned: 1 };
const offers = {
  offers: [
    { icon: "beaker", text: "运行测试并修复失败项", words: "运行测试并修复失败项" },
    { icon: "history", text: "继续：四舍五入", detail: "11:27", sessionId: "session_2" },
  ],
};
const none = { ...surroundings, model: { state: "none" as const, message: "还没有模型。" } };
const listed = [
  { id: "session_1", title: "一", created: 0, updated: START - 300_000, turns: 3, running: false },
  { id: "session_2", title: "二", created: 0, updated: START - 8_000_000, turns: 12, running: true },
  { id: "session_3", title: "", created: 0, updated: START - 900_000_000, turns: 1, running: false },
];

const states: Record<string, [PanelOptions, ((panel: PanelPage) => Promise<unknown>)?]> = {
  "a turn with tools": [{ snapshot: session(fixed()) }],
  "a turn under way": [
    { snapshot: session(fixing(), { state: "running" }) },
    async panel => {
      const played = await play(panel, running());
      await openAll(panel);
      return played;
    },
  ],
  "a command that asks": [{ snapshot: session(command(), { state: "asking" }) }],
  "an edit that asks": [
    {
      snapshot: session(
        fixing()
          .request("r9")
          .answer("r9", "", [["call_edit2", "Edit", { file_path: "src/invoice.ts" }]])
          .approval("a", { ...editAction, callId: "call_edit2" }),
        { state: "asking" },
      ),
    },
  ],
  "tools and a question": [{ snapshot: session(asking(), { state: "asking" }) }],
  "a form": [{ snapshot: session(form(), { state: "asking" }) }],
  "changes to review": [
    {
      snapshot: session(changing().answer("e", "好了。").end("done")),
      results: { turnChanges: { files: changingFiles } },
    },
  ],
  "a way back": [
    {
      snapshot: session(changing().answer("e", "好了。").end("done")),
      results: { previewRewind: { ...preview, stays: ["large.bin"] } },
    },
    ({ page }) => page.getByRole("button", { name: "回退到此处…" }).first().press("Enter"),
  ],
  "a compaction": [
    { snapshot: session(fixed().compacted(0, { rounds, reason: "manual" })) },
    panel => play(panel, new Script().state("running").compaction("summarising", { reason: "manual", rounds })),
  ],
  "nothing said yet": [{ results: { offers } }],
  "no model": [
    { snapshot: { surroundings: none, records: new Script().pending("p", "added", "queue", "改").records } },
  ],
  "no folder": [{ snapshot: { surroundings: { ...surroundings, workspace: "none", folders: [] } } }],
  "no trust": [
    { snapshot: { surroundings: { ...surroundings, workspace: "untrusted" } }, results: { offers } },
    ({ page }) => page.getByRole("button", { name: "只读" }).click(),
  ],
  "a session that cannot be opened": [{ refused: { open: "不行。" } }],
  find: [{ snapshot: session(fixed()) }, panel => panel.send({ type: "find" })],
  sessions: [
    { snapshot: session(fixed()), results: { sessions: { sessions: listed } } },
    panel => panel.show("sessions"),
  ],
  "tools and rules": [
    {
      ...{ name: "tools", height: 1000 },
      results: { mcpServers: { servers: mcpRows, problems: ["坏"] }, mcpLists: { lists: mcpLists }, tools: toolsShown },
    },
    ({ page }) => page.getByRole("row", { name: /^钩子/ }).click(),
  ],
  "no servers": [{ name: "tools", results: { mcpServers: { servers: [], problems: [] } } }],
  context: [
    {
      results: { contextView: talked, sentRequests: requests, mcpServers: servers },
      snapshot: session(fixed(), { surroundings: guessing }),
    },
    panel => panel.show("context"),
  ],
};

/** These have words of most components; the others are in the soak of looks. */
const richest = [
  "a turn with tools",
  "a command that asks",
  "tools and a question",
  "changes to review",
  "sessions",
  "context",
];

describe("panel: in Chinese no word is English", function () {
  this.timeout(120_000);
  for (const [name, [options, then]] of Object.entries(states))
    (richest.includes(name) ? panelTest : looksTest)(name, () => check(name, options, then));

  panelTest("cards have verbs for our tools, and a server's own names for its", async () => {
    const script = new Script().user("改").answer("r", "", [
      ["e1", "Edit", { file_path: "src/a.ts" }],
      ["m1", "文档:search", {}],
    ]);
    const panel = await openPanel({ language: "zh-cn", snapshot: { records: script.records } });
    await panel.page.locator(".tool-verb").nth(1).waitFor();
    assert.deepEqual(await panel.page.locator(".tool-verb").allTextContents(), ["编辑", "文档:search"]);
  });
});
