/** Text of models, servers, files and commands shows what it hides: on no part of the panel a control character or a turn of direction stands raw. */
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/shared/events";
import type { BackgroundTaskInfo } from "../../src/shared/tasks";
import { HOSTILE, hostileText, rawControls } from "../fakes/hostileText";
import { wear } from "./access";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { Script, START, surroundings } from "./script";

const odd = `odd ${hostileText}`;
const change = {
  ...{ uri: "file:///ws/odd.ts", path: `src/${odd}.ts`, created: false, added: 1, removed: 0 },
  diff: `--- a/${odd}\n+++ b/${odd}\n@@ -1 +1,2 @@ ${odd}\n+${odd}\n`,
};
const task: BackgroundTaskInfo = {
  ...{ taskId: "task_1", callId: "call_9", command: odd, cwd: `/ws/${odd}` },
  ...{ state: "running", startedAt: START, lines: 14 },
};
const markdown = [
  odd,
  `# ${odd}`,
  `- ${odd}\n- **${odd}** *${odd}* ~~${odd}~~ \`${odd}\``,
  `> ${odd}`,
  `<b title="${odd}">${odd}</b>`,
  `text <i>${odd}</i>`,
  `[${odd}](https://example.com/${odd.replaceAll(" ", "")}) ![${odd}](x\u202ey.png) [gone](javascript:${odd.replaceAll(" ", "")})`,
  `| ${odd} | b |\n|---|---|\n| ${odd} | c |`,
  `\`\`\`js\nconst a = "${odd}";\n// ${odd}\n\`\`\``,
  `\`\`\`${odd}\n${odd}\n\`\`\``,
].join("\n\n");

/** Every message, card and line that a session can show, each with all of it. */
function scene(): Script {
  const error = { code: "NOT_FOUND", message: odd };
  return new Script()
    .user(`${odd} @src/${odd}.ts @problems`, { kind: "normal" })
    .record({
      ...{ kind: "attachment", messageId: "msg_a", parentId: "msg_1", turn: 1, runId: "run_1", name: "problems" },
      ...{ title: odd, trust: "workspace", text: odd },
    } as never)
    .image(odd)
    .answer("req_1", markdown, [["call_1", "Read", { file_path: odd }]], odd)
    .result("call_1", "Read", { digest: odd, status: "error", error: error as never })
    .answer("req_2", "", [
      ["call_2", "Bash", { command: odd }],
      ["call_3", odd, { [odd]: odd }],
      ["call_4", "Edit", { file_path: odd, old_string: odd, new_string: odd }],
    ])
    .result("call_2", "Bash", { digest: `Bash ${odd}` })
    .result("call_3", odd, { digest: odd })
    .result("call_4", "Edit", { digest: odd, changes: [change] })
    .record({
      kind: "attempt",
      requestId: "req_3",
      turn: 1,
      step: 1,
      parts: [{ type: "text", text: odd }],
      reason: odd,
    })
    .record({ kind: "note", level: "warning", code: "x", text: odd })
    .record({ kind: "title", title: odd })
    .todo([{ content: odd, activeForm: odd, status: "in_progress" }])
    .pending("p_1", "added", "queue", odd)
    .end("error", { code: "server", message: odd, actions: ["retry"] });
}

const live = (): AgentEvent[] =>
  new Script(100)
    .user(odd)
    .state("running")
    .request("req_9")
    .reasoning("req_9", odd)
    .text("req_9", markdown)
    .answer("req_9", markdown, [
      ["call_5", "Bash", { command: odd }],
      ["call_6", "Bash", { command: odd }],
    ])
    .start("call_6", "Bash", odd)
    .output("call_6", `${odd}\nobs:0123456789ab ${odd}\n<b>${odd}</b>`)
    .approval("ap_1", {
      ...{ toolName: "Bash", callId: "call_5", title: odd, reason: odd },
      detail: { type: "command", command: odd, cwd: odd, unsaved: [odd] },
    })
    .state("asking")
    .take();

/** What can be read on the page, by eye or by ear. */
const readable = ({ page }: PanelPage): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) texts.push(node.nodeValue ?? "");
    for (const element of document.querySelectorAll("*"))
      for (const name of ["title", "aria-label", "placeholder", "alt"]) texts.push(element.getAttribute(name) ?? "");
    return texts.filter(text => text !== "");
  });

async function openAll({ page, settle }: PanelPage): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await page.evaluate(() => {
      // What is edited is the person's own text, which stays as it is.
      const closed = "button[aria-expanded=false]:not([aria-label='Edit and send again'])";
      for (const button of document.querySelectorAll<HTMLElement>(closed)) button.click();
    });
    await settle();
  }
}

const showsNothingRaw = async (panel: PanelPage, shown: RegExp) => {
  const texts = await readable(panel);
  assert.match(texts.join("\n"), shown);
  // line ends and separators steer nothing on a page
  assert.deepEqual(
    texts.flatMap(text => rawControls(text.replace(/[\r\u2028\u2029]/g, ""))),
    [],
  );
};

describe("panel: hostile text", () => {
  panelTest("a session with all of it everywhere shows none of it raw", async () => {
    const panel = await openPanel({
      snapshot: {
        title: odd,
        records: scene().records,
        tasks: [task],
        surroundings: { ...surroundings, folders: [odd], model: { ...surroundings.model, name: odd, address: odd } },
      } as never,
      results: {
        printed: { first: `${odd}\n${odd}`, last: odd, hidden: { lines: 3, bytes: 9 } },
        previewRewind: {
          ...{ turn: 1, turns: 1, stays: [odd], gaps: [odd] },
          files: [{ path: odd, uri: "file:///ws/odd.ts", becomes: "changed", merged: true }],
        },
        turnChanges: { files: [{ ...change, deleted: false, edits: 1, undone: 0, why: odd }] },
        sessions: { sessions: [{ id: "s", title: odd, created: START, updated: START, turns: 2, running: false }] },
      },
    });
    await openAll(panel);
    await showsNothingRaw(panel, /␛\[2J/);
    await panel.play(live());
    await openAll(panel);
    await showsNothingRaw(panel, /rm␈␈ls/);
    await panel.play([
      { type: "state", state: "running" },
      { type: "retry", requestId: "req_9", attempt: 1, attempts: 3, delayMs: 60_000, code: "server", message: odd },
      ...new Script(200).compaction("failed", { message: odd }).take(),
    ]);
    await showsNothingRaw(panel, /Retry in/);
    // what was opened lies above it
    await panel.show("sessions");
    await panel.page.getByRole("list", { name: "Sessions" }).getByRole("button").first().waitFor();
    await showsNothingRaw(panel, /a\\u\{202e\}gnp\.exe/);
  });

  panelTest("an answer that cannot be drawn is plain text, the others stay, also after a reload", async () => {
    const script = new Script().user("go").request("r").answer("r", "BOOM in the middle").user("and now").request("s");
    script.answer("s", "All is well.").end("done");
    const { page, start } = await openPanel({ snapshot: { records: script.records }, startLater: true });
    // Stands for a defect in what draws it.
    await page.evaluate(() => {
      const { slice } = String.prototype;
      String.prototype.slice = function (this: string, ...range: [number?, number?]) {
        if (String(this).startsWith("BOOM")) throw new Error("it cannot be drawn");
        return slice.apply(this, range);
      };
    });
    await start();
    await page.getByText("Shown as plain text:").waitFor();
    await page.getByText("BOOM in the middle").waitFor();
    await page.getByText("All is well.").waitFor();
  });

  panelTest("formulas and diagrams are drawn, and nothing of them runs; what is no good is its source", async () => {
    const fence = (code: string) => `\`\`\`mermaid\n${code}\n\`\`\``;
    const label = '["<img src=x onerror=parent.ran=1>"]';
    const good = [
      "flowchart TD\n  A[Read] --> B{Round?}\n  style A fill:#f9f",
      "sequenceDiagram\n  A->>B: hi",
      `flowchart TD\n  A${label} --> B\n  click A href "javascript:parent.ran=1"\n  click B call ran()`,
      `%%{init: {"securityLevel":"loose","htmlLabels":true,"themeCSS":"*{background:url(https://evil.test)}"}}%%\nflowchart TD\n  A${label}`,
      `---\nconfig:\n  securityLevel: loose\n  flowchart:\n    htmlLabels: true\n---\nflowchart TD\n  A${label}`,
    ];
    const lines = (count: number, line: string) => Array.from({ length: count }, (_, at) => line + at).join("\n");
    const bad = [
      ...["flowchart TD\n  A[Read --> B{{{", lines(10_000, "N"), `flowchart TD\n${"x".repeat(90_000)}`],
      ...[`flowchart TD\n${lines(300, "subgraph s")}`, `block-beta\n${"a ".repeat(2_000)}`],
      ...["block-beta\n  a space:99999999 b", "gantt\n  a :2020-01-05, 9000000d", "packet-beta\n  0-9999999: a"],
    ];
    const noMaths = ["\\frac{a}{", "x".repeat(10_000), "{".repeat(3_000), "\\def\\a{\\a\\a}\\a"];
    const formulas = [
      "x^2",
      "\\frac{a}{b}",
      "\\text{a\u202eb}",
      "\\color{red} x \\rule{900em}{900em}",
      "\\href{javascript:ran}{x}",
      "\\includegraphics{https://evil.test}",
    ];
    const answer = [
      ...[...formulas, ...noMaths].map(tex => `$$\n${tex}\n$$`),
      "inline $E=mc^2$, $5 and $10",
      ...[...good, ...bad].map(fence),
    ].join("\n\n");
    const records = new Script().user("go").answer("r", answer).end("done").records;
    const panel = await openPanel({ snapshot: { records } });
    const { page } = panel;
    const count = (selector: string, wanted: number) =>
      page.waitForFunction(([found, all]) => document.querySelectorAll(found).length === all, [
        selector,
        wanted,
      ] as const);
    await count(".drawing img", good.length);
    await count(".formula math", formulas.length + 1);
    assert.equal(await page.getByText(/^Not drawn:/).count(), bad.length + noMaths.length);
    await showsNothingRaw(panel, /\\text\{ab\}/);
    const images = page.locator(".drawing img");
    const drawn = () => images.evaluateAll(all => all.map(each => (each as HTMLImageElement).naturalWidth > 20));
    assert.deepEqual(
      await drawn(),
      good.map(() => true),
    );
    assert.deepEqual(await page.evaluate(() => [...document.body.children].map(({ tagName }) => tagName)), [
      "DIV",
      "SCRIPT",
      "IFRAME",
    ]);
    assert.equal(await page.evaluate("typeof ran"), "undefined");
    const before = (await images.first().getAttribute("src")) ?? "";
    assert.match(decodeURIComponent(before), /Round\?/);
    await wear(page, "light");
    await page.waitForFunction(dark => document.querySelector(".drawing img")?.getAttribute("src") !== dark, before);
    await page.locator(".formula").last().click();
    await page.getByText("$E=mc^2$").click();
    await page.getByRole("button", { name: "Diagram" }).first().press("Enter");
    await page.getByText("A[Read] --> B{Round?}").waitFor();
    await panel.button("Show the drawing").click();
    await count(".drawing img", good.length);
  });

  panelTest("what is copied and what the composer holds stays as it is", async () => {
    const panel = await openPanel({
      snapshot: { records: new Script().user("go").answer("r", "```js\na\u202eb\n```").end("done").records },
    });
    await panel.page.getByRole("button", { name: "Copy code" }).click();
    assert.equal((await panel.page.evaluate(() => navigator.clipboard.readText())).trim(), "a\u202eb");
    await panel.send({ type: "compose", op: "mention", text: HOSTILE["override of direction"] ?? "", focus: true });
    assert.equal(await panel.composer.inputValue(), "a\u202egnp.exe");
  });
});
