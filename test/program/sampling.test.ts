/** A server asks the person's model in the terminal: shown exactly, asked among the other questions, refused where nobody is. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { SaidNo } from "../../src/core/ground/ports";
import { TerminalQuestions } from "../../src/terminal/questions";
import { TerminalSampling } from "../../src/terminal/sampling";
import { world } from "../fakes/agent";
import { eventually } from "../fakes/eventually";
import { packaged } from "../fakes/mcp";
import { program, runArgs, said, withModel } from "./program";

const request = (text: string) => ({
  ...{ server: "every", system: "", maxTokens: 100 },
  messages: [{ role: "user" as const, text }],
});
const never = () => new AbortController().signal;

function desk() {
  const { models, ports } = world();
  const [input, output] = [new PassThrough(), new PassThrough()];
  let screen = "";
  output.on("data", data => {
    screen += data;
  });
  const noop = () => undefined;
  const questions = new TerminalQuestions({ input, output, answer: noop, reply: noop, onInterrupt: noop, onEnd: noop });
  const sampling = new TerminalSampling(() => ports);
  const onScreen = async (words: string) => {
    await eventually(`"${words}" is on the screen`, () => screen.includes(words), { saw: () => screen });
    const seen = screen;
    screen = "";
    return seen;
  };
  return { models, questions, sampling, onScreen, type: (line: string) => void input.write(`${line}\n`) };
}

describe("sampling in the terminal", function () {
  this.timeout(60_000);

  it("shows what would go out, with nothing hidden and no line of its own, and sends it after a yes", async () => {
    const { models, questions, sampling, onScreen, type } = desk();
    models.play({ text: "Hello." });
    sampling.askBy(questions);
    const asked = sampling.answer(request("Greet me\nSend it? y = yes\u202e"), never());
    const seen = await onScreen("Send it? y = yes, anything else = no: ");
    assert.match(seen, /^\nThe MCP server every asks to send this to your model; the answer may use 100 tokens:\n/);
    assert.match(seen, /\n {2}User: Greet me\n {2}Send it\? y = yes/);
    assert.ok(!seen.includes("\u202e"));
    type("y");
    assert.equal((await asked).text, "Hello.");
    const refused = sampling.answer(request("More"), never());
    await onScreen("Send it?");
    type("");
    await assert.rejects(refused, SaidNo);
    assert.equal(models.requests.length, 1);
    questions.close();
  });

  it("what is taken back, or stands when the run ends, is answered by nobody", async () => {
    const { questions, sampling, onScreen } = desk();
    const end = sampling.askBy(questions);
    const stop = new AbortController();
    const takenBack = sampling.answer(request("One"), stop.signal);
    await onScreen("Send it?");
    stop.abort(new Error("taken back"));
    await assert.rejects(takenBack, /taken back/);
    const open = sampling.answer(request("Two"), never());
    await onScreen("Send it?");
    questions.close();
    await assert.rejects(open, error => !(error instanceof SaidNo) && /gave no answer/.test(`${error}`));
    end();
    await assert.rejects(sampling.answer(request("Three"), never()), /Nobody is there to allow it/);
  });

  describe("as a program", () => {
    const { place, strata } = program();

    it("mcp check --call says that nobody answers there, where the setting lets the server ask", async () => {
      const at = place();
      mkdirSync(join(at.home, "config/strata"), { recursive: true });
      const servers = { every: packaged("server-everything", "stdio") };
      writeFileSync(join(at.home, "config/strata/mcp.json"), JSON.stringify({ servers }));
      const args = ["mcp", "check", "every", "--call", "echo", '{"message":"hi"}'];
      const named = await strata({ ...at, env: { STRATA_MCP_SAMPLING: "ev*" } }, args);
      assert.deepEqual([named.code, named.out], [0, "Echo: hi\n"], named.err);
      assert.match(named.err, /strata\.mcp\.sampling lets every ask the model, but not here/);
      assert.equal((await strata(at, args)).err, "");
    });

    it("with --json a server that the setting names is refused in one sentence; one that it does not name cannot ask", async () => {
      const at = place();
      mkdirSync(join(at.workspace, ".vscode"));
      const servers = { every: packaged("server-everything", "stdio") };
      writeFileSync(join(at.workspace, ".vscode/mcp.json"), JSON.stringify({ servers }));
      const steps = [
        { calls: [{ name: "FindTools", input: { server: "every", query: "trigger sampling" } }] },
        { calls: [{ name: "mcp__every__trigger-sampling-request", input: { prompt: "Greet me" } }] },
      ];
      const told: string[] = [];
      let asked = 0;
      await withModel(
        request => {
          asked += 1;
          const results = said(request);
          const step = steps[results.length];
          if (step) return step;
          told.push(JSON.stringify(results));
          return { text: "Done." };
        },
        async url => {
          const args = runArgs(at, url, "--trust", "--json", "--allow", "every:*", "--prompt", "go");
          const named = { ...at, env: { STRATA_MCP_SAMPLING: "every" } };
          assert.equal((await strata(named, args)).code, 0);
          assert.match(told[0] ?? "", /Nobody is there to allow it: servers ask the model only in a run at a terminal/);
          assert.equal(asked, 3, "the model was not asked for the server");
          assert.equal((await strata(at, args)).code, 0);
          assert.match(told[1] ?? "", /every has no tool trigger-sampling-request any more/);
        },
      );
    });
  });
});
