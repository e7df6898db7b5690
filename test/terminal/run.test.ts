/** `strata run` on fakes: a person at a terminal, and a disk that fills up. */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { ownCommands } from "../../src/shared/slashCommand";
import { parseCommand, type RunCommand } from "../../src/terminal/args";
import { Interrupts } from "../../src/terminal/interrupts";
import { EXIT, Output } from "../../src/terminal/output";
import { run } from "../../src/terminal/run";
import { type WorldOptions, world } from "../fakes/agent";
import { eventually } from "../fakes/eventually";

function start(options: WorldOptions = {}) {
  const agent = world(options);
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let screen = "";
  output.on("data", data => {
    screen += data;
  });
  let quits = 0;
  const interrupts = new Interrupts({ err: text => output.write(text), quit: () => quits++ });
  const go = (onText: (text: string) => void = () => undefined, prompt = "go", ...more: string[]) =>
    run(parseCommand(["run", "--prompt", prompt, ...more]) as RunCommand, agent.ports, {
      streams: { out: onText, err: text => void output.write(text) },
      ...{ input, output, interrupts },
    });
  const asked = () => eventually("it asks", () => /Allow\?/.test(screen));
  const log = () => [...agent.disk.sessions.values()].map(({ files }) => String(files.get("history.jsonl"))).join("");
  return { ...agent, input, interrupts, go, asked, log, screen: () => screen, quits: () => quits };
}
const command = { calls: [{ name: "Bash", input: { command: "npm test" } }] };

describe("strata run", () => {
  it("asks a person and goes on with the answer", async () => {
    const { models, go, asked, input, shell } = start();
    models.play(command, { text: "done" });
    const code = go();
    await asked();
    input.write("y\n");
    assert.equal(await code, EXIT.done);
    assert.equal(shell.runs.length, 1);
  });

  it("says in its question that a command keeps running", async () => {
    const { models, go, asked, input, screen } = start({ mode: "ask", shell: { "*": { hangs: true } } });
    models.play({ calls: [{ name: "Bash", input: { command: "npm run dev", run_in_background: true } }] });
    const code = go();
    await asked();
    input.write("n\n");
    assert.equal(await code, EXIT.done);
    assert.match(
      screen(),
      /Run `npm run dev` in the background\?\n {2}\$ npm run dev\n {2}in \/ws\/app\n {2}It runs outside the sandbox\.\n {2}It keeps running in the background until it ends, or this run does\./,
    );
  });

  it("ends with the files that it changed", async () => {
    const { models, go, screen } = start({ mode: "auto" });
    const edit = (old_string: string, new_string: string) => ({
      calls: [{ name: "Edit", input: { file_path: "src/a.ts", old_string, new_string } }],
    });
    models.play(
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      edit("one", "1\n2"),
      edit("2", "two"),
      { calls: [{ name: "Write", input: { file_path: "b.ts", content: "new\n" } }] },
      { text: "done" },
    );
    assert.equal(await go(), EXIT.done);
    assert.match(screen(), /\n2 files changed, \+4 −2: src\/a\.ts \+3 −2 and b\.ts \+1 −0 \(new\)\nSession /);
    models.play({ text: "nothing" });
    const before = screen().length;
    await go();
    assert.doesNotMatch(screen().slice(before), /changed/);
  });

  it("names an earlier no in a question, and lifts it by /lift", async () => {
    const settings = { "permissions.ask": ["Bash(rm *)"] };
    const { models, go, asked, input, screen, log } = start({ mode: "auto", settings });
    const bash = (command: string) => ({ calls: [{ name: "Bash", input: { command } }] });
    models.play(bash("rm -r data"), bash("find data -delete"), { text: "done" });
    const code = go();
    await asked();
    input.write("n\n");
    await eventually("it names the no", () => /\n {2}! You said no to `rm -r data` at \d/.test(screen()));
    input.write("n\n");
    assert.equal(await code, EXIT.done);
    models.play({ text: "done" });
    await go(undefined, "you may now delete data", "--continue");
    assert.match(screen(), /\(To lift the no to `rm -r data`: strata run --session \S+ --prompt "\/lift rec_\d+"\)/);
    assert.equal(await go(undefined, "/lift", "--continue"), EXIT.done);
    assert.match(screen(), /A denial was lifted\./);
    assert.match(log(), /"kind":"denial","op":"lifted"/);
    await assert.rejects(go(undefined, "/lift", "--continue"), /nothing is denied that could be lifted/);
  });

  const here = ["compact", "undo", "redo", "lift"];
  for (const name of Object.keys(ownCommands).filter(each => !here.includes(each)))
    it(`has no prompt /${name}`, async () => {
      const { go } = start();
      const message = new RegExp(`/${name} is not a prompt in the terminal\\.`);
      await assert.rejects(go(undefined, `/${name}`), message);
    });

  describe("stops in the middle of a question, and its end is written", () => {
    const check = (how: string, act: (at: { input: PassThrough; interrupts: Interrupts }) => void) =>
      it(how, async () => {
        const { models, go, asked, input, interrupts, log, quits } = start();
        models.play(command, { text: "done" });
        const code = go();
        await asked();
        act({ input, interrupts });
        assert.equal(await code, EXIT.stopped);
        assert.match(log(), /"kind":"turnEnd".*"reason":"stopped"/);
        assert.deepEqual([quits(), input.isPaused()], [0, true]);
      });
    check("Ctrl+C", ({ input }) => input.write("\x03"));
    check("Ctrl+D", ({ input }) => input.write("\x04"));
    check("a terminal that is gone, with its signal", ({ input, interrupts }) => {
      interrupts.stop();
      input.destroy(new Error("read EIO"));
    });
    check("SIGTERM", ({ interrupts }) => interrupts.press());
    check("SIGHUP, twice", ({ interrupts }) => {
      interrupts.stop();
      interrupts.stop();
    });
  });

  it("a second Ctrl+C quits", () => {
    let quits = 0;
    let stops = 0;
    const interrupts = new Interrupts({ err: () => undefined, quit: () => quits++ });
    interrupts.signal.addEventListener("abort", () => stops++);
    interrupts.press();
    assert.deepEqual([stops, quits], [1, 0]);
    interrupts.press();
    assert.deepEqual([stops, quits], [1, 1]);
  });

  it("what was stopped before it began does not begin", async () => {
    const { interrupts, go, models } = start();
    interrupts.press();
    assert.equal(await go(), EXIT.stopped);
    assert.equal(models.requests.length, 0);
  });

  it("a disk that is full in the middle of a turn is 1", async () => {
    const { models, go, disk } = start();
    models.play({ text: "Hello." });
    const code = await go(() => {
      disk.full = true;
    });
    assert.equal(code, EXIT.error);
  });
});

describe("the terminal's output", () => {
  const check = (code: string, complaint: RegExp | undefined) =>
    it(code, () => {
      const stdout = new PassThrough();
      const stderr = new PassThrough();
      const output = new Output(stdout, stderr);
      let stops = 0;
      output.onFailure(() => stops++);
      stdout.emit("error", Object.assign(new Error(`${code}: write`), { code }));
      stdout.emit("error", Object.assign(new Error(`${code}: write`), { code }));
      output.out("nobody reads this");
      output.err("this is read");
      assert.deepEqual([stops, stdout.read(), String(stderr.read())], [1, null, "this is read"]);
      if (complaint) assert.match(output.complaint ?? "", complaint);
      else assert.equal(output.complaint, undefined);
    });
  check("EPIPE", undefined);
  check("ENOSPC", /could not be written: the disk is full\./);
  check("EIO", /could not be written: EIO/);
});
