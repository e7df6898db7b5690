/** Sizes and characters that nobody expects, over real HTTP: the session goes on, and every byte is accounted for. */
import assert from "node:assert/strict";
import { soak } from "../fakes/soak";
import type { World } from "./world";
import { endWorlds, newest, proven, records, reopened, rounds, say, sent, undoAll, words, world } from "./world";

const WINDOW = 20_000;
const small = { "model.contextWindow": WINDOW, "context.memory": "plain" as const };
const estimates = ({ events }: World) =>
  events.flatMap(event => (event.type === "request" ? [event.estimatedTokens] : []));

describe("over HTTP: what is too large", () => {
  afterEach(endWorlds);

  it("one message larger than the window, at the beginning: it is given back, and the next one is answered", async () => {
    const at = await world({ settings: small, serverWindow: WINDOW });
    await say(at, words(40_000, "Too long."));
    const { error } = newest(at, "turnEnd");
    assert.equal(error?.code, "context-reset");
    assert.equal(at.script.asked.length, 1, "the server is asked once");
    await say(at, "Shorter.", { text: "Yes." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.match(sent(at), /Shorter\.$/m);
    assert.ok((estimates(at).at(-1) ?? 0) < WINDOW);
    await proven(at);
  });

  it("one message larger than the window, in a conversation: nothing of that is lost", async () => {
    const at = await world({ settings: small, serverWindow: WINDOW });
    await rounds(at, 1, 3, 1000);
    await say(at, words(40_000, "Too long."));
    assert.equal(newest(at, "turnEnd").error?.code, "context-reset");
    await say(at, "Shorter.", { text: "Yes." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
    await undoAll(at);
    const texts = at.session.history.conversation.messages.map(({ parts }) => JSON.stringify(parts).slice(0, 40));
    for (const text of ["Question 1.", "Answer 3.", "Too long.", "Shorter."])
      assert.ok(
        texts.some(part => part.includes(text)),
        text,
      );
    await proven(at);
  });

  it("a rules file of 10 MB: its first 32 KB, and the number of bytes that are left out", async () => {
    const at = await world({
      settings: { "model.contextWindow": 40_000 },
      files: { "AGENTS.md": "Be kind 文.\n".repeat(700_000) },
    });
    await rounds(at, 1, 3, 5000);
    const [, left = ""] = /\[(\d+) more bytes of this file were left out/.exec(sent(at)) ?? [];
    assert.ok(Number(left) > 8_000_000, left);
    assert.equal(records(at, "note").filter(({ code }) => code === "rules-cut").length, 1);
    assert.ok((at.server.requests.at(-1)?.rawBody.length ?? 0) < 150_000);
    await at.session.compaction.compact();
    await say(at, "Next.", { text: "Yes." });
    assert.match(sent(at), /more bytes of this file were left out/);
    assert.equal(records(at, "note").filter(({ code }) => code === "rules-cut").length, 1);
    await proven(at);
  });
});

describe("over HTTP: odd characters", () => {
  afterEach(endWorlds);
  const odd =
    "emoji 👩‍👩‍👧 🇩🇪, CJK 你好 丁寧 𠮷, CRLF\r\nand CR\rbell \u0007 lone \ud83d half \udc00, \u2028 \u202e bidi, NUL \u0000 end";

  it("in the user's words, in outputs, in answers and in summaries", async () => {
    let at = await world({
      settings: { "history.keepRounds": 1, "context.memory": "plain" as const },
      files: { "文 件.txt": `${odd}\r\n`.repeat(3) },
    });
    await say(
      at,
      `Always keep ${odd}. 请不要删除文件。`,
      {
        calls: [
          { name: "Read", input: { file_path: "文 件.txt" } },
          { name: "Bash", input: { command: "printf '\\360\\237\\230\\200\\377\\r\\n\\355\\240\\200'" } },
        ],
      },
      { text: odd, reasoning: odd },
    );
    await rounds(at, 2, 4, 2500);
    at.script.summaries.push({ text: `### 🧠 Key Insights\n* **Learnings**: ${odd}` });
    await at.session.compaction.compact(`mind ${odd}`);
    const { summaries, failure, ledger } = newest(at, "compaction");
    assert.equal(failure, undefined);
    assert.match(summaries[0]?.text ?? "", /你好 丁寧 𠮷/u);
    assert.match(JSON.stringify(ledger), /你好 丁寧 𠮷[\s\S]*请不要删除文件。/u);
    assert.ok(summaries[0]?.text.isWellFormed());
    await rounds(at, 5, 5, 100);
    await proven(at);
    at = await reopened(at);
    await rounds(at, 6, 6, 100);
    await at.session.compaction.undo();
    await rounds(at, 7, 7, 100);
    assert.ok(sent(at).includes("Always keep emoji 👩‍👩‍👧 🇩🇪, CJK 你好 丁寧 𠮷, CRLF\r\nand CR\r"));
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });
});

describe("over HTTP: a long turn", function () {
  this.timeout(180_000);
  afterEach(endWorlds);

  it("with a command that prints 2 MB: the turn goes on, its end is shown and found again", () => printing(2_000_000));
  soak("large", () => it("the same with 100 MB", () => printing(100_000_000)));

  async function printing(bytes: number): Promise<void> {
    const files = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`f${n}.txt`, words(1500, `File ${n}.`)]));
    const at = await world({ settings: small, serverWindow: WINDOW, files });
    const print = `echo first; yes 'a line of the long output that nobody reads' | head -c ${bytes}; echo; echo the last line; exit 3`;
    const reads = Object.keys(files).map(file_path => ({
      text: words(1500, file_path),
      calls: [{ name: "Read", input: { file_path } }],
    }));
    await say(at, "Run it, then read.", { calls: [{ name: "Bash", input: { command: print } }] }, ...reads, {
      text: "Read.",
    });
    assert.equal(newest(at, "turnEnd").reason, "done");
    const [bash] = records(at, "result");
    assert.ok((bash?.forms.shown.length ?? 0) < 40_000);
    assert.match(bash?.forms.shown ?? "", /the last line/);
    assert.ok(records(at, "compaction").length > 0, "its own beginning was summarised");
    assert.match(sent(at), /Run it, then read\./);
    assert.match(sent(at), /exit 3/, "the working state");
    assert.equal((await proven(at)).breaks["context-error-retry"], undefined);
  }
});
