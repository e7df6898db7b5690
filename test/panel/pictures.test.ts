/** Pictures by paste and drop, and long texts: chips that can be removed, kept, and sent in their order; bad ones are a sentence. */
import assert from "node:assert/strict";
import { png } from "../fakes/png";
import { chips, has, paste, value } from "./mentioning";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { Script, snapshot } from "./script";

const kept = (name: string) => ({ mediaType: "image/png", url: `blob:${name.length}`.padEnd(69, "0"), path: name });
const results = { keepPicture: ["one.png", "two.png", "three.png"].map(kept) };

interface GivenFile {
  name: string;
  /** base64, or so many zero bytes */
  bytes: string | number;
}

const picture = (name: string): GivenFile => ({ name, bytes: png(60, 40).toString("base64") });

/** Files that come by the clipboard, or are dropped. */
const give = ({ page }: PanelPage, how: "paste" | "drop", files: GivenFile[], text = "") =>
  page.evaluate(
    ([way, all, words]) => {
      const data = new DataTransfer();
      for (const { name, bytes } of all) {
        const content =
          typeof bytes === "number" ? new Uint8Array(bytes) : Uint8Array.from(atob(bytes), c => c.charCodeAt(0));
        data.items.add(new File([content], name));
      }
      if (words !== "") data.setData("text/plain", words);
      const init = { bubbles: true, cancelable: true };
      const box = document.querySelector("#composer-text");
      (box as HTMLElement).focus();
      box?.dispatchEvent(
        way === "paste"
          ? new ClipboardEvent("paste", { ...init, clipboardData: data })
          : new DragEvent("drop", { ...init, dataTransfer: data }),
      );
    },
    [how, files, text] as const,
  );

const bytesOf = async (panel: PanelPage) =>
  ((await panel.asked("keepPicture")) as { name: string }[]).map(({ name }) => name);

describe("panel: pictures", () => {
  panelTest(
    "several by paste and drop: small copies in their order, one is removed by keys, the others are sent",
    async () => {
      const panel = await openPanel({ results });
      const { page, composer, button, waitForRequest } = panel;
      await composer.fill("Compare ");
      await give(panel, "paste", [picture("one.png"), picture("two.png")]);
      await page.waitForFunction(() => document.querySelectorAll(".chip-picture").length === 2);
      await give(panel, "drop", [picture("three.png")]);
      await page.waitForFunction(() => document.querySelectorAll(".chip-picture").length === 3);
      assert.deepEqual(await bytesOf(panel), ["one.png", "two.png", "three.png"]);
      assert.deepEqual(
        await page.locator(".chip-picture").evaluateAll(all => all.map(each => (each as HTMLImageElement).alt)),
        ["one.png", "two.png", "three.png"],
      );
      await panel.screenshot("pictures");
      await button("Remove two.png from the message").press("Enter");
      await page.waitForFunction(() => document.querySelectorAll(".chip-picture").length === 2);
      assert.equal(await value(panel), "Compare ");
      await composer.press("Enter");
      assert.deepEqual(await waitForRequest("submit"), {
        text: "Compare [Picture 1: one.png] [Picture 3: three.png]",
        delivery: "steer",
        pictures: [kept("one.png"), kept("three.png")],
      });
      assert.equal(await chips(panel).count(), 0);
    },
  );

  panelTest("what cannot be used is said, a sentence each, and nothing else is lost", async () => {
    const panel = await openPanel({ results });
    const { page, composer } = panel;
    await composer.fill("Look");
    const whole = picture("one.png");
    await give(panel, "drop", [
      whole,
      { name: "logo.svg", bytes: btoa("<svg xmlns='http://www.w3.org/2000/svg'/>") },
      { name: "IMG_1.HEIC", bytes: btoa("\0\0\0\x18ftypheic") },
      { name: "cut.png", bytes: png(60, 40).subarray(0, 60).toString("base64") },
      { name: "huge.png", bytes: 40_000_000 },
    ]);
    const notice = page.getByRole("alert");
    await notice.getByText("logo.svg can't be used").waitFor();
    const words = (await notice.textContent()) ?? "";
    for (const name of ["IMG_1.HEIC", "cut.png"]) assert.ok(words.includes(`${name} can't be used`), words);
    assert.match(words, /huge\.png is too large \(.*\)/);
    assert.equal(await value(panel), "Look");
    assert.equal(await chips(panel).getByText("one.png").count(), 1);
  });

  panelTest("of fifty, twenty go along and the others are counted", async () => {
    const panel = await openPanel({ results: { keepPicture: kept("p.png") } });
    await give(
      panel,
      "paste",
      Array.from({ length: 50 }, () => picture("p.png")),
    );
    await panel.page.getByText("30 pictures were left out: a message takes 20.").waitFor();
    assert.equal((await panel.asked("keepPicture")).length, 20);
  });

  panelTest("a model that sees none: said before anything is sent", async () => {
    const open = snapshot();
    const model = { state: "ready" as const, name: "blind", address: "x", contextWindow: 1000, offline: false };
    const surroundings = { ...open.surroundings, model: { ...model, seesPictures: false as const } };
    const panel = await openPanel({ results, snapshot: { ...open, surroundings } });
    await give(panel, "paste", [picture("one.png")]);
    await panel.page.locator(".chip-picture").waitFor();
    await panel.composer.press("Enter");
    await panel.page.getByText("blind can't see pictures. Choose another model or remove them.").waitFor();
    assert.deepEqual(await panel.asked("submit"), []);
    await panel.page.locator(".chip-picture").waitFor();
  });

  panelTest(
    "a draft keeps them over a reload; what the host refuses is said; text beside a picture is pasted as text",
    async () => {
      const panel = await openPanel({ results });
      const { page, pass } = panel;
      await give(panel, "paste", [picture("one.png")]);
      await page.locator(".chip-picture").waitFor();
      await pass(5_000); // long enough for it to be kept
      await page.reload();
      await page.waitForFunction(() => document.querySelectorAll(".chip-picture").length === 1);
      await panel.refuse("keepPicture", "The disk is full.");
      await give(panel, "paste", [picture("two.png")]);
      await page.getByText("The disk is full.").waitFor();
      const seen = (await panel.asked("keepPicture")).length;
      await give(panel, "paste", [picture("two.png")], "cells of a table");
      await panel.settle();
      assert.equal((await panel.asked("keepPicture")).length, seen);
    },
  );

  panelTest("Enter while they are read: sent once they are there", async () => {
    const panel = await openPanel({ results, held: ["keepPicture"] });
    const { composer, waitForRequest } = panel;
    await composer.fill("Look at ");
    await give(panel, "paste", [picture("one.png"), picture("two.png")]);
    await composer.press("Enter");
    await waitForRequest("keepPicture");
    assert.deepEqual(await panel.asked("submit"), []);
    await panel.release("keepPicture");
    await waitForRequest("keepPicture", 1);
    await panel.release("keepPicture");
    assert.deepEqual(await waitForRequest("submit"), {
      text: "Look at [Picture 1: one.png] [Picture 2: two.png]",
      delivery: "steer",
      pictures: [kept("one.png"), kept("two.png")],
    });
    assert.equal(await value(panel), "");
  });

  panelTest("Enter while they are read: of another session, or of other words by then, nothing is sent", async () => {
    const next = snapshot({ sessionId: "session_9", draft: { draft: "a draft", inFlight: [] } });
    for (const said of ["you went to another session before", "it was changed before"]) {
      const panel = await openPanel({ results, held: ["keepPicture"] });
      await panel.composer.fill("Look at ");
      await give(panel, "paste", [picture("one.png")]);
      await panel.composer.press("Enter");
      await panel.waitForRequest("keepPicture");
      if (said.startsWith("it")) await panel.page.keyboard.type("more ");
      else await panel.send({ type: "snapshot", snapshot: next });
      await panel.release("keepPicture");
      await panel.page.getByText(said).waitFor();
      assert.deepEqual(await panel.asked("submit"), []);
    }
  });

  panelTest("pictures stay with their session: in another one nothing is sent that is not there", async () => {
    const raw = "[Picture 1: one.png]";
    const next = snapshot({ sessionId: "session_9", draft: { draft: `${raw} `, inFlight: [] } });
    const panel = await openPanel({ results });
    await give(panel, "paste", [picture("one.png")]);
    await panel.page.locator(".chip-picture").waitFor();
    await panel.send({ type: "snapshot", snapshot: next });
    await has(panel, `${raw} `);
    await panel.composer.press("Enter");
    await panel.page.getByText(`Nothing was sent: what ${raw} stands for is not here any more.`).waitFor();
    assert.deepEqual(await panel.asked("submit"), []);
  });

  panelTest("while a question of the agent's waits, pictures are a message and no answer", async () => {
    const script = new Script()
      .user("go")
      .request("r")
      .answer("r", "", [["q", "AskUser", { questions: [] }]]);
    script.question("qst", "q", "AskUser", {
      fields: [{ type: "text", name: "q1", title: "Which?", required: false }],
    });
    const panel = await openPanel({ results, snapshot: { records: script.records, state: "asking" } });
    await panel.pass(400);
    await give(panel, "paste", [picture("one.png")]);
    await panel.page.locator(".chip-picture").waitFor();
    await panel.composer.press("Enter");
    await panel.waitForRequest("submit");
    assert.deepEqual(await panel.asked("reply"), []);
  });
});

describe("panel: long pasted texts", () => {
  const long = Array.from({ length: 120 }, (_, at) => `line ${at + 1}`).join("\n");

  panelTest("become a chip; one undo brings the text back; the chip opens it; it is sent whole", async () => {
    const panel = await openPanel();
    const { page, composer, button, waitForRequest } = panel;
    await composer.fill("Why? ");
    await paste(panel, long);
    await has(panel, "Why? [Pasted text, 120 lines #1]");
    await panel.screenshot("pasted");
    await page.keyboard.press("ControlOrMeta+Z");
    await has(panel, `Why? ${long}`);
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await has(panel, "Why? [Pasted text, 120 lines #1]");
    await button("Pasted text, 120 lines #1").click();
    await has(panel, `Why? ${long}`);
    await page.keyboard.press("ControlOrMeta+Z");
    await has(panel, "Why? [Pasted text, 120 lines #1]");
    await composer.press("Enter");
    assert.deepEqual(await waitForRequest("submit"), {
      ...{ text: `Why? \n\`\`\`\n${long}\n\`\`\``, delivery: "steer" },
    });
  });

  panelTest("Ctrl+Shift+V leaves it as it is; twenty megabytes are refused in a sentence", async () => {
    const panel = await openPanel();
    const { page, composer } = panel;
    await composer.focus();
    await page.evaluate(words => navigator.clipboard.writeText(words), long);
    await page.keyboard.press("ControlOrMeta+Shift+V");
    await has(panel, long);
    await composer.fill("kept");
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "x".repeat(20_000_000));
      const init = { clipboardData, bubbles: true, cancelable: true };
      document.querySelector("#composer-text")?.dispatchEvent(new ClipboardEvent("paste", init));
    });
    await page.getByText(/The text is too long to paste/).waitFor();
    assert.equal(await value(panel), "kept");
  });

  panelTest("what is too long together is refused, and all that stands there comes back after a reload", async () => {
    const panel = await openPanel();
    const { page, composer, pass } = panel;
    const give = (chars: number) =>
      page.evaluate(length => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "x".repeat(length));
        const init = { clipboardData, bubbles: true, cancelable: true };
        const box = document.querySelector<HTMLTextAreaElement>("#composer-text");
        box?.focus();
        box?.dispatchEvent(new ClipboardEvent("paste", init));
      }, chars);
    await composer.focus();
    await give(1_500_000);
    await has(panel, "[Pasted text, 1 line #1]");
    await give(600_000);
    await page.getByText(/The text is too long to paste/).waitFor();
    assert.equal(await value(panel), "[Pasted text, 1 line #1]");
    await give(400_000);
    await has(panel, "[Pasted text, 1 line #1] [Pasted text, 1 line #2]");
    await pass(5_000); // long enough for it to be kept
    await page.reload();
    await has(panel, "[Pasted text, 1 line #1] [Pasted text, 1 line #2]");
    await page.waitForFunction(() => document.querySelectorAll(".mention-chip").length === 2);
  });

  panelTest("a place holder of what is not here any more is never sent", async () => {
    const panel = await openPanel();
    const { page, composer } = panel;
    for (const lost of ["[Pasted text, 12 lines #2]", "[Pasted text, 1 line #1]", "[Picture 1: one.png]"]) {
      await composer.fill(`Look at ${lost}`);
      await composer.press("Enter");
      await page.getByText(`what ${lost} stands for is not here any more`).waitFor();
      assert.equal(await value(panel), `Look at ${lost}`);
    }
    assert.deepEqual(await panel.asked("submit"), []);
  });

  panelTest("a very long one opens in an editor, and the message stays as it is", async () => {
    const panel = await openPanel();
    const text = "word ".repeat(4_000);
    await panel.composer.fill("Why? ");
    await paste(panel, text);
    await has(panel, "Why? [Pasted text, 1 line #1]");
    await panel.button("Pasted text, 1 line #1").click();
    assert.deepEqual(await panel.waitForRequest("openAnswer"), { markdown: text, pasted: true });
    assert.equal(await value(panel), "Why? [Pasted text, 1 line #1]");
  });

  panelTest("code that an editor has selected becomes the mention of its lines", async () => {
    const code = "const a = 1;\nconst b = 2;\n";
    const panel = await openPanel({
      files: ["src/invoice.ts"],
      results: { copiedFrom: [{ mention: "@src/invoice.ts:3-4" }, { mention: null }] },
    });
    const copied = () =>
      panel.page.evaluate(text => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        clipboardData.setData("vscode-editor-data", '{"mode":"typescript"}');
        const box = document.querySelector("#composer-text") as HTMLTextAreaElement;
        box.focus();
        box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        document.execCommand("insertText", false, text);
      }, code);
    await copied();
    await has(panel, "@src/invoice.ts:3-4 ");
    await chips(panel).getByText("invoice.ts:3–4").waitFor();
    await panel.page.keyboard.press("ControlOrMeta+Z");
    await has(panel, code);
    await panel.composer.fill("");
    await copied();
    await panel.waitForRequest("copiedFrom", 1);
    await has(panel, code);
  });
});
