/** Messages and answers: runs of looking, what commands came to, editing and sending again, what was undone. */
import assert from "node:assert/strict";
import type { FileChange } from "../../src/shared/toolResult";
import { openPanel, panelTest } from "./panel";
import { fixed, preview, testOutput } from "./scenes";
import { invoiceDiff, Script, surroundings } from "./script";

type Call = [id: string, tool: string, input: Record<string, string>];

const read = (id: string, file_path: string): Call => [id, "Read", { file_path }];
const looked = (script: Script, ...calls: Call[]) => {
  script.answer(`req_${calls[0]?.[0]}`, "", calls);
  for (const [id, tool] of calls) script.result(id, tool, { digest: `${tool} done`, durationMs: 200 });
  return script;
};

describe("panel: runs of looking", function () {
  this.timeout(120_000);

  panelTest("are one line that says what was looked at, and opens to its calls", async () => {
    const script = new Script().user("why?");
    looked(script, read("r1", "a.ts"), read("r2", "b.ts"), ["g1", "Grep", { pattern: "x" }]);
    looked(script, ["g2", "Glob", { pattern: "*.ts" }]).answer("end", "Because.");
    const panel = await openPanel({ snapshot: { records: script.end("done").records } });
    const line = panel.page.getByRole("button", { name: "Looked at 2 files, searched twice 0.8 s" });
    await line.waitFor();
    assert.equal(await panel.page.locator(".tool").count(), 1);
    await line.press("Enter");
    assert.equal(await panel.page.locator(".tool").count(), 5);
    await panel.button("Looked at a.ts done 0.2 s").waitFor();
    await line.press("Enter");
    assert.equal(await panel.page.locator(".tool").count(), 1);
  });

  panelTest("while one runs it says the current call; who opened the first keeps it open", async () => {
    const script = new Script().user("why?").state("running");
    looked(script, read("r1", "a.ts"));
    const panel = await openPanel({ snapshot: { state: "running", records: script.records } });
    script.take();
    await panel.page.getByRole("button", { name: /^Look/ }).click();
    await panel.page.getByText("What the tool gave, whole.").waitFor();
    const next = script
      .request("q")
      .answer("q", "", [read("r2", "src/invoice.ts")])
      .start("r2", "Read", "Read");
    await panel.play(next.take());
    const run = panel.page.locator(".looks-line");
    assert.match(await run.innerText(), /Look at[\s\S]*invoice\.ts/);
    await panel.page.getByText("What the tool gave, whole.").waitFor();
    await panel.play(script.result("r2", "Read", { digest: "Read src/invoice.ts 1–9" }).take());
    assert.match(await run.innerText(), /Looked at 2 files/);
  });

  panelTest("a call that failed is seen without opening, one that asks stands for itself", async () => {
    const script = new Script().user("why?").state("running");
    looked(script, read("r1", "a.ts"));
    script.answer("q", "", [read("r2", "gone.ts"), read("r3", "/etc/hosts")]);
    const error = { code: "NOT_FOUND" as const, message: "gone.ts is not there." };
    script.result("r2", "Read", { digest: "Read gone.ts is not there", status: "error", error });
    const detail = { type: "edit" as const, changes: [] };
    script.approval("a1", { toolName: "Read", callId: "r3", title: "Read /etc/hosts?", detail });
    const panel = await openPanel({ snapshot: { state: "asking", records: script.state("asking").records } });
    assert.match(await panel.page.locator(".looks-line").innerText(), /Looked at 2 files[\s\S]*1 failed/);
    assert.equal(await panel.page.locator(".tool.error:not(.looks-line)").count(), 1);
    await panel.page.getByRole("alertdialog").waitFor();
    assert.equal(await panel.page.locator(".looks .approval").count(), 0);
  });
});

describe("panel: what a command came to", function () {
  this.timeout(120_000);

  const failed = () => {
    const script = new Script().user("test it").answer("q", "", [["c", "Bash", { command: "npm test" }]]);
    const ended = { printed: { first: 1, count: 14 }, exitCode: 1, tests: { failed: 1, passed: 2 } };
    const error = { code: "EXIT" as const, message: "Exit code 1." };
    script.result("c", "Bash", { digest: "Bash npm test exit 1", status: "error", error, durationMs: 2300, ended });
    return script
      .answer("end", "One fails.")
      .end("done", undefined, { cost: 0.02, input: 52_000, cachedInput: 41_000 });
  };
  const printed = {
    first: testOutput,
    hidden: { lines: 397, bytes: 9_000 },
    last: "1 failing\n",
    handle: "obs:0123456789ab",
  };

  panelTest("stands on its line in words, and its output is what it printed", async () => {
    const panel = await openPanel({ snapshot: { records: failed().records }, results: { printed } });
    await panel.page.getByRole("button", { name: /^Ran \$? ?npm test 1 of 3 failed 2.3 s$/ }).click();
    await panel.page.getByText("397 lines hidden · Show all").waitFor();
    assert.doesNotMatch(await panel.page.locator(".terminal").innerText(), /Recall|obs:/);
    await panel.button("Show all").click();
    assert.deepEqual(await panel.waitForRequest("openHandle"), { handle: "obs:0123456789ab" });
  });

  panelTest("an output of one line of 24,000 characters and 220 lines stays quick to open", async () => {
    const long = {
      ...printed,
      first: "x".repeat(24_000),
      last: "line\n".repeat(200),
      hidden: { lines: 0, bytes: 5_000_000 },
    };
    const panel = await openPanel({ snapshot: { records: failed().records }, results: { printed: long } });
    await panel.page.getByRole("button", { name: /^Ran/ }).click();
    await panel.page.getByText("5 MB hidden").waitFor();
    assert.equal(await panel.page.locator(".terminal .line").count(), 201);
  });

  panelTest("the turn's line says so; its numbers are a tooltip away, the report one key", async () => {
    const panel = await openPanel({ snapshot: { records: failed().records } });
    await panel.page.getByText("Finished, the last command failed · 12 s · $0.02").waitFor();
    assert.equal(await panel.page.getByText("cached").count(), 0);
    const about = panel.button("About this turn");
    assert.match((await about.getAttribute("title")) ?? "", /Tokens read: [^\n]+\nFrom cache: 41k/);
    await about.press("Enter");
    assert.deepEqual(await panel.waitForRequest("explainTurn"), { turn: 1 });
  });
});

describe("panel: a message is edited where it stands", function () {
  this.timeout(120_000);

  const options = { snapshot: { records: fixed().records }, results: { previewRewind: preview } };

  panelTest(
    "sending goes back to before it and sends what it says now; files stay unless somebody says so",
    async () => {
      for (const files of [false, true]) {
        const panel = await openPanel(options);
        await panel.button("Edit and send again").press("Enter");
        const box = panel.page.getByRole("textbox", { name: "Edit your message" });
        await box.fill("fix it otherwise");
        if (files) await panel.page.getByLabel("Also put back 1 file").check();
        await box.press("Enter");
        assert.deepEqual(await panel.waitForRequest("rewind"), { turn: 1, what: files ? "both" : "conversation" });
        assert.deepEqual(await panel.waitForRequest("submit"), { text: "fix it otherwise", delivery: "queue" });
      }
    },
  );

  panelTest(
    "Esc leaves it as it was; refused, the words stay; taken by nobody, they stand in the composer",
    async () => {
      const panel = await openPanel({ ...options, refused: { rewind: "task_1 still runs." } });
      await panel.button("Edit and send again").press("Enter");
      const box = panel.page.getByRole("textbox", { name: "Edit your message" });
      await box.fill("otherwise");
      await box.press("Enter");
      await panel.page.getByText("task_1 still runs.").waitFor();
      assert.equal(await box.inputValue(), "otherwise");
      await panel.page.keyboard.press("Escape");
      await box.waitFor({ state: "detached" });
      assert.ok(await panel.button("Edit and send again").evaluate(element => element === document.activeElement));
      await panel.refuse("rewind", undefined);
      await panel.refuse("submit", "The disk is full.");
      await panel.button("Edit and send again").press("Enter");
      await box.fill("otherwise");
      await panel.button("Send").first().click();
      await panel.page.waitForFunction(
        () => document.querySelector<HTMLTextAreaElement>("#composer-text")?.value === "otherwise",
      );
    },
  );

  panelTest(
    "what is being written stays behind another view, and when a turn begins; it is sent once it can be",
    async () => {
      const script = fixed();
      for (let turn = 0; turn < 20; turn += 1)
        script.user(`more ${turn}`).answer(`more_${turn}`, "Words.\n\n".repeat(9)).end("done");
      const panel = await openPanel({ ...options, snapshot: { records: script.records } });
      script.take();
      const { page, conversation } = panel;
      await panel.button("Edit and send again").nth(4).scrollIntoViewIfNeeded();
      await panel.button("Edit and send again").nth(4).press("Enter");
      const box = page.getByRole("textbox", { name: "Edit your message" });
      await box.fill("otherwise");
      await panel.settle();
      const before = await conversation.evaluate(log => log.scrollTop);
      await panel.show("sessions");
      await page
        .getByRole("region", { name: "Sessions" })
        .or(page.getByRole("heading", { name: "Sessions" }))
        .first()
        .waitFor();
      assert.equal(await box.isVisible(), false);
      await page.keyboard.press("Escape");
      await box.waitFor();
      assert.equal(await conversation.evaluate(log => log.scrollTop), before, "the place is where it was");
      await panel.play(script.user("from another view").state("running").take());
      assert.equal(await box.inputValue(), "otherwise");
      await box.press("Enter");
      await panel.play(script.answer("r_other", "Done.").end("done").state("idle").take());
      assert.equal((await panel.asked("rewind")).length, 0, "while a turn runs nothing goes back");
      await box.press("Enter");
      await panel.waitForRequest("rewind");
      assert.equal(((await panel.waitForRequest("submit")) as { text: string }).text, "otherwise");
    },
  );

  panelTest("one tab stop, arrows from there; what was sent while the agent worked cannot be edited", async () => {
    const script = new Script().user("go").user("and this", { kind: "steer" }).answer("r", "Done.").end("done");
    const panel = await openPanel({ snapshot: { records: script.records } });
    assert.equal(await panel.button("Edit and send again").count(), 1);
    await panel.button("Edit and send again").focus();
    await panel.page.keyboard.press("ArrowRight");
    assert.ok(
      await panel
        .button("Copy")
        .first()
        .evaluate(element => element === document.activeElement),
    );
    await panel.page.keyboard.press("End");
    assert.ok(await panel.button("Pin this turn").evaluate(element => element === document.activeElement));
  });

  panelTest("an answer is copied as text and as Markdown, opened, and its message sent again", async () => {
    const script = new Script().user("go").answer("r", "**Half up**, see `a.ts`.").end("done");
    const panel = await openPanel({ snapshot: { records: script.records } });
    const clip = () => panel.page.evaluate(() => navigator.clipboard.readText());
    await panel.button("Copy as text").press("Enter");
    await panel.button("Copied").waitFor();
    assert.equal(await clip(), "Half up, see a.ts.");
    await panel.button("Copy as Markdown").press("Enter");
    await panel.page.waitForFunction(() => document.querySelectorAll('[aria-label="Copied"]').length > 1);
    assert.equal(await clip(), "**Half up**, see `a.ts`.");
    await panel.button("Open as Markdown").press("Enter");
    assert.deepEqual(await panel.waitForRequest("openAnswer"), { markdown: "**Half up**, see `a.ts`." });
  });

  panelTest("sending it again asks first where files would have to go back", async () => {
    const script = new Script().user("go").answer("r", "Done.").end("done");
    const none = { ...preview, files: [] };
    const plain = await openPanel({ snapshot: { records: script.records }, results: { previewRewind: none } });
    await plain.button("Send your message again").press("Enter");
    assert.deepEqual(await plain.waitForRequest("submit"), { text: "go", delivery: "queue" });
    const asks = await openPanel({ snapshot: { records: script.records }, results: { previewRewind: preview } });
    await asks.button("Send your message again").press("Enter");
    await asks.page.getByLabel("Also put back 1 file").waitFor();
    assert.deepEqual(await asks.asked("rewind"), []);
  });

  panelTest("sending an older message again asks first: it says how many turns leave", async () => {
    const script = new Script().user("go").answer("r", "Done.").end("done").user("on").answer("s", "Too.").end("done");
    const panel = await openPanel({
      snapshot: { records: script.records },
      results: { previewRewind: { ...preview, files: [], turns: 2 } },
    });
    await panel.button("Send your message again").first().press("Enter");
    await panel.page.getByText("2 turns move to another branch. You can return.").waitFor();
    assert.deepEqual(await panel.asked("rewind"), []);
  });

  panelTest("pictures are sent again, but for those that were taken out", async () => {
    const pictures = ["a.png", "b.png"].map((path, at) => ({ mediaType: "image/png", url: `blob:${at}`, path }));
    const [, b] = pictures;
    const text = "see [Picture 1: a.png] [Picture 2: b.png]";
    const script = new Script().user(text, {}, pictures).answer("r", "Done.").end("done");
    const options = {
      snapshot: { records: script.records },
      results: { previewRewind: { ...preview, files: [] } },
    };
    const again = await openPanel(options);
    await again.button("Send your message again").press("Enter");
    assert.deepEqual(await again.waitForRequest("submit"), { text, delivery: "queue", pictures });
    const edited = await openPanel(options);
    await edited.button("Edit and send again").press("Enter");
    await edited.button("Remove a.png from the message").click();
    await edited.page.getByRole("textbox", { name: "Edit your message" }).fill("look at");
    await edited.button("Send").first().click();
    assert.deepEqual(await edited.waitForRequest("submit"), {
      text: "look at [Picture 2: b.png]",
      delivery: "queue",
      pictures: [b],
    });
    // Nothing goes back where the model could not see them.
    assert.ok(surroundings.model.state === "ready");
    const model = { ...surroundings.model, seesPictures: false as const };
    const blind = await openPanel({
      ...options,
      snapshot: { records: script.records, surroundings: { ...surroundings, model } },
    });
    await blind.button("Send your message again").press("Enter");
    await blind.page.getByText(/can't see pictures/).waitFor();
    assert.deepEqual(await blind.asked("rewind"), []);
  });
});

describe("panel: what was undone says so", function () {
  this.timeout(120_000);

  const other: FileChange = { ...invoiceDiff, uri: "file:///ws/src/other.ts", path: "src/other.ts" };
  const script = () => {
    const made = new Script().user("go").answer("q", "", [
      ["e1", "Edit", { file_path: invoiceDiff.path }],
      ["e2", "Edit", { file_path: other.path }],
    ]);
    made.result("e1", "Edit", { digest: "Edit", changes: [invoiceDiff] });
    return made.result("e2", "Edit", { digest: "Edit", changes: [other] }).end("done");
  };
  const review = (action: "undo" | "restore", { uri, path }: FileChange, more = {}) => ({
    ...{ kind: "review" as const, action, uri, path, upTo: 9, changes: 2, added: 1, removed: 1, ...more },
  });

  panelTest("by undo all: on cards, on the turn's files, with one Redo for all in the line", async () => {
    const all = script()
      .record(review("undo", invoiceDiff, { step: "9" }))
      .record(review("undo", other, { step: "9" }));
    const panel = await openPanel({ snapshot: { records: all.records } });
    await panel.page.getByText("2 files changed, undone").waitFor();
    await panel.status.getByText("Undone: 2 files").waitFor();
    assert.equal(await panel.page.locator(".tool .tool-undone", { hasText: /^undone$/ }).count(), 2);
    await panel.button("Redo").click();
    assert.deepEqual(await panel.waitForRequest("redoReview"), { uri: invoiceDiff.uri });
    all.take();
    await panel.play(all.record(review("restore", invoiceDiff)).record(review("restore", other)).take());
    assert.equal(await panel.page.locator(".tool-undone").count(), 0);
    await panel.page.getByText("2 files changed", { exact: true }).waitFor();
    await panel.status.waitFor({ state: "detached" });
  });

  panelTest("change by change: how many", async () => {
    const one = script().record(review("undo", invoiceDiff, { base: "b".repeat(64), agent: "a".repeat(64) }));
    const panel = await openPanel({ snapshot: { records: one.records } });
    await panel.page.locator(".tool", { hasText: "2 changes undone" }).waitFor();
    await panel.button(`Redo what was undone in ${invoiceDiff.path}`).click();
    assert.deepEqual(await panel.waitForRequest("redoReview"), { uri: invoiceDiff.uri });
  });
});
