/** Of a token that a limit cuts in two, most is still there: it is hidden before the cut, and where only the cut part came. */
import assert from "node:assert/strict";
import { RawCapture } from "../../src/core/commands/rawCapture";
import { createRedactor, redactingWriter } from "../../src/core/secrets/redact";
import { MemoryBlobs } from "../fakes/blobs";
import { hash } from "../fakes/hash";
import { onDisk } from "./onDisk";

const token = `ghp_${"x9Y8".repeat(9)}`;
const value = "Kq7mZ2pL9vR4tW8xB3nC6sD1";
/** No more of it than this may be told. */
const part = token.slice(0, 16);
const bash = (command: string) => ({ name: "Bash", input: { command } });

describe("attack 9: a token at a cut", () => {
  let agent: Awaited<ReturnType<typeof onDisk>>;
  afterEach(async () => {
    const told = agent.told();
    assert.ok(!told.includes(part), told.slice(Math.max(0, told.indexOf(part) - 200), told.indexOf(part) + 100));
    assert.ok(!told.includes(value.slice(0, 16)));
    await agent.close();
  });

  it("is hidden where a command's output ends within it, or each of its lines does", async () => {
    const files = { "a.txt": `x ${token}\ny ${value}\n`, ".env": `API_TOKEN=${value}\n` };
    agent = await onDisk(files);
    const shown = await agent.play(
      bash("head -c 41 a.txt"),
      bash("head -c 22 a.txt"),
      bash("cut -c1-38 a.txt"),
      bash("printf '%s\\n' $(cut -c1-30 a.txt | head -1)"),
      bash("tail -1 a.txt | cut -c1-20"),
    );
    assert.match(shown, /y \[secret:API_TOKEN:[0-9a-f]{12}\]/);
  });

  it("is hidden where Read, Grep and a notebook cut a long line", async () => {
    const long = (before: number) =>
      `${"ab ".repeat(before / 3).slice(0, before)}${token} and more ${"cd ".repeat(900)}`;
    const output = { output_type: "stream", text: long(480) };
    const cell = { cell_type: "code", source: "1", outputs: [output], metadata: {}, execution_count: 1 };
    agent = await onDisk({
      "read.txt": `${long(1_965)}\n`,
      "grep.txt": `${long(376)}\n`,
      "many.txt": `${long(176)}\n`.repeat(120),
      "engine.txt": `${"z".repeat(8_150)} ${token}${"z".repeat(9_000)}\n`,
      "a.ipynb": JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    });
    const found = (path: string) => ({ name: "Grep", input: { pattern: "ghp_", path, output_mode: "content" } });
    await agent.play(
      { name: "Read", input: { file_path: "read.txt" } },
      { name: "Read", input: { file_path: "a.ipynb" } },
      found("grep.txt"),
      found("many.txt"),
      found("engine.txt"),
    );
  });

  it("is hidden in the live output where that ends, and in what is kept where the cap is", async () => {
    agent = await onDisk({ "a.txt": `${"w ".repeat(131_060)}${token}\n` });
    await agent.play(bash("cat a.txt"));
    const live = agent.events.flatMap(event => (event.type === "output" ? [event.text] : [])).join("");
    assert.ok(live.includes("\n… more than 256 KB"), live.slice(-200));
    const blobs = new MemoryBlobs();
    const redactor = createRedactor(text => hash.sha256(`key ${text}`));
    const raw = new RawCapture(() => redactingWriter(blobs.writer(), redactor), 50);
    await raw.write("a word and ");
    await raw.write(`another ${token}`);
    await raw.write("and what follows");
    const { sha256 } = (await raw.finish()) ?? assert.fail();
    assert.equal(new TextDecoder().decode(blobs.blobs.get(sha256)), "a word and another ");
    assert.equal(raw.dropped, raw.bytes - 19);
  });
});
