/** Pictures of every state for people to look at (test/out/panel-*.png), and what can be measured of them. */
import assert from "node:assert/strict";
import { isSoak, soak } from "../fakes/soak";
import { looksTest, picture, pictures } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { asking, fixed, fixing, testOutput } from "./scenes";
import { invoiceDiff, Script, START, snapshot, surroundings } from "./script";

/** A turn under way: a command that runs, a pending message, a todo list. */
async function running(panel: PanelPage) {
  const script = fixing();
  script.take();
  script.request("req_4", 41_200).reasoning("req_4", "Run them again.").text("req_4", "Now I'll run the tests again.");
  script.answer("req_4", "Now I'll run the tests again.", [["call_again", "Bash", { command: "npm test" }]], "Run.");
  script.start("call_again", "Bash", "Run `npm test`").output("call_again", testOutput);
  script.pending("p1", "added", "queue", "then update the changelog");
  await panel.play(script.take());
}

/** An edit after which there are new problems, and a look at all of them. */
function breaking(): Script {
  const script = fixing();
  const edit = { file_path: "src/invoice.ts", old_string: "b", new_string: "c" };
  script.request("req_4").answer("req_4", "", [["call_break", "Edit", edit]]);
  const digest = "Edit src/invoice.ts +3 −1 · 1 new error, 2 new warnings";
  script.result("call_break", "Edit", { digest, changes: [invoiceDiff], durationMs: 1_240 });
  script.request("req_5").answer("req_5", "", [
    ["call_file", "Diagnostics", { file_path: "src/invoice.ts" }],
    ["call_all", "Diagnostics", {}],
  ]);
  script.result("call_file", "Diagnostics", { digest: "Diagnostics src/invoice.ts 1 error in 1 file", durationMs: 3 });
  script.result("call_all", "Diagnostics", { digest: "Diagnostics 3 errors, 2 warnings in 2 files", durationMs: 3 });
  return script;
}

/** Calls with two buttons, one and none that come into sight when one points at their line. */
function timed(): Script {
  const script = new Script()
    .user("look")
    .request("r")
    .answer("r", "", [
      ["c1", "Read", { file_path: "src/invoice.ts" }],
      ["c2", "Bash", { command: "npm test" }],
      ["c3", "Grep", { pattern: "roundTotal" }],
    ]);
  const durationMs = 1_200;
  script.result("c1", "Read", { digest: "Read src/invoice.ts 1–84", durationMs });
  script.result("c2", "Bash", { digest: "Bash npm test exit 0", durationMs });
  return script.result("c3", "Grep", { digest: 'Grep "roundTotal" 7 hits', durationMs });
}

const thoughtful = () =>
  new Script()
    .user("Why does the invoice test fail?")
    .answer(
      "req_1",
      "The total is rounded before tax is added, so it is a cent too low.",
      [],
      "**Looking for the rounding**\n\nThe test expects `119.00` and gets `118.99`. That is the size of a rounding error, so I look at where the total is rounded.\n\n**Checking the order**\n\n`roundTotal` runs first. Tax comes after it.",
      { thoughtMs: 12_400 },
    )
    .end("done");

describe("panel: how it looks", function () {
  this.timeout(120_000);

  const session = (script: Script, more = {}) =>
    snapshot({ title: "Fix the failing invoice test", records: script.records, ...more });
  const untrusted = {
    ...surroundings,
    workspace: "untrusted" as const,
    model: { ...surroundings.model, name: "offline", offline: true },
  };
  const sessions = [
    { id: "session_1", title: "Fix the failing invoice test", updated: START - 300_000, turns: 3, running: false },
    { id: "session_2", title: "Rename customer to client", updated: START - 8_000_000, turns: 12, running: true },
    { id: "session_3", title: "", updated: START - 300_000_000, turns: 1, running: false },
  ].map(summary => ({ created: 0, ...summary }));
  pictures({
    "a finished turn": [{ width: 300, height: 1000, snapshot: session(fixed()) }],
    "a question": [{ width: 300, height: 900, snapshot: session(asking(), { state: "asking" }) }],
    "a turn under way": [{ width: 300, height: 900, snapshot: session(fixing(), { state: "running" }) }, running],
    "problems that an edit made": [{ width: 300, height: 700, snapshot: session(breaking()) }],
    "an empty session, light": [{ theme: "light", width: 300 }],
    "no model": [
      { snapshot: { surroundings: { ...surroundings, model: { state: "none", message: "No model yet." } } } },
    ],
    "no folder": [{ snapshot: { surroundings: { ...surroundings, workspace: "none", folders: [] } } }],
    "untrusted workspace, offline model, read only": [
      { snapshot: session(fixed(), { readOnly: true, surroundings: untrusted }) },
    ],
    loading: [{ held: ["open"] }],
    "could not be opened": [{ refused: { open: "The log is of a newer version." } }],
    retrying: [
      { snapshot: session(new Script().user("hello"), { state: "running" }) },
      panel =>
        panel.play([
          {
            ...{ type: "retry", requestId: "r", attempt: 2, attempts: 5, delayMs: 8000 },
            ...{ code: "rate-limit", message: "The model is busy (429)." },
          },
        ]),
    ],
    "the sessions": [
      { results: { sessions: { sessions } }, snapshot: session(fixed()) },
      panel => panel.show("sessions"),
    ],
    "details of cards, a refused request": [
      {
        height: 1200,
        snapshot: session(fixed()),
        results: { printed: { first: testOutput, last: "" } },
        refused: { openFile: "src/gone.ts is not there any more." },
      },
      async panel => {
        await panel.page.locator("[data-tool=Bash] .tool-head, [data-tool=Bash] button").first().click();
        await panel.page.getByRole("button", { name: /^Edited src/ }).click();
        await panel.page.getByRole("button", { name: "src/invoice.ts:14" }).first().click();
        await panel.page.getByText("Thoughts").click();
        await panel.settle();
      },
    ],
    "thoughts, open": [
      { height: 420, snapshot: session(thoughtful()) },
      panel => panel.page.getByText("Thought for 12 s").click(),
    ],
  });

  looksTest("an error, a limit, an interrupted turn, a note", () => {
    const script = new Script().user("do it");
    script.record({
      kind: "note",
      level: "warning",
      code: "rules",
      text: "AGENTS.md is larger than 32 KB: its last 1,204 bytes were left out.",
    });
    script
      .end("limit")
      .user("go on")
      .answer("r1", "", [["c1", "Bash", { command: "npm run build" }]])
      .end("interrupted");
    script.user("and now").image("docs/invoice.png").pending("p1", "added", "queue", "then update the changelog");
    script.end("error", {
      code: "auth",
      message: "The API key was rejected (401).",
      details: "“Incorrect API key provided: …”",
      actions: ["set-key", "choose-model", "retry", "check-connection"],
    });
    return picture("ends", { snapshot: session(script) });
  });

  panelTest("the mode menu lies within the panel, however narrow or low that is", async () => {
    const sizes = [
      [250, 800],
      [300, 240],
      [300, 800],
      [400, 800],
      [700, 800],
    ] as const;
    for (const [width, height] of isSoak("looks") ? sizes : sizes.slice(0, 2))
      await picture(
        `modes-${width}-${height}`,
        { width, height, snapshot: session(fixed()) },
        async ({ page, button }) => {
          await button("Mode: Ask first").click();
          const box = await page.getByRole("menu", { name: "Mode" }).boundingBox();
          assert.ok(
            box && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height,
            JSON.stringify(box),
          );
        },
      );
  });

  panelTest("times of tool lines end at one place", async () => {
    const { page } = await openPanel({ snapshot: session(timed()), width: 400 });
    const ends = await page
      .locator(".tool-time")
      .evaluateAll(times => times.map(time => Math.round(time.getBoundingClientRect().right)));
    assert.ok(ends.length >= 3);
    assert.equal(new Set(ends).size, 1, ends.join(" "));
  });

  soak("looks", () => {
    panelTest("an empty session, dark", () => picture("empty", {}));
    panelTest("what a README shows", () =>
      picture("readme", { width: 480, height: 640, scale: 2, snapshot: session(asking(), { state: "asking" }) }),
    );
  });
});
