/** Secrets that are known by value, in whole turns. */

import assert from "node:assert/strict";
import { createSession } from "../../../src/core/agent/session/openSession";
import type { RedactorOptions } from "../../../src/core/secrets/redact";
import { edit, everything, last, read, runTurn, start, world } from "../../fakes/agent";
import { exported } from "../../fakes/bundle";
import { eventually } from "../../fakes/eventually";
import { pluck } from "../../fakes/pluck";

const value = "x1y2z3x1y2z3";
const environment = { API_KEY: value };
const bash = (command: string) => ({ name: "Bash", input: { command } });

async function play(
  agent: Awaited<ReturnType<typeof start>>,
  ...calls: { name: string; input: Record<string, string> }[]
) {
  agent.models.play(...calls.map(call => ({ calls: [call] })), { text: "ok" });
  await runTurn(agent.session, "go");
  return last(agent.session, "result");
}

const markIn = (text: string) => /\[secret:[A-Z_]+:[0-9a-f]{12}\]/.exec(text)?.[0] ?? assert.fail(text);

describe("known secrets in a turn", () => {
  it("reach neither model nor disk, wherever they come from, and are put back into files", async () => {
    const agent = await start({
      mode: "auto",
      rules: `The key is ${value}.`,
      files: { "a.ts": `key = "${value}"\n` },
      shell: { "*": { output: [["stdout", `${value}\n${`log ${value} `.repeat(200)}\n`]] } },
      secrets: { environment },
    });
    await runTurn(agent.session, `is it ${value}?`);
    const { forms } = await play(agent, bash("env"), read("a.ts"));
    const mark = markIn(forms.shown);
    const done = await play(agent, edit("a.ts", `"${mark}"`, `'${mark}'`));
    assert.equal(done.error, undefined);
    assert.equal(agent.files.onDisk("/ws/app/a.ts"), `key = '${value}'\n`);
    assert.ok(JSON.stringify(agent.models.requests).includes(mark));
    const out = [JSON.stringify(agent.models.requests), everything(agent.disk), JSON.stringify(agent.events)];
    for (const text of out)
      assert.ok(!text.includes(value) && !text.includes(value.slice(0, 8)), "no part of it either");
  });

  it("of a file that a command has just made are hidden in what it printed", async () => {
    const texts: string[] = [];
    const agent = await start({
      mode: "auto",
      shell: { "*": { output: [["stdout", `${value}\n`]] } },
      secrets: { envFiles: { read: async () => texts } },
    });
    const { run } = agent.shell;
    agent.shell.run = async asked => {
      texts.push(`API_KEY=${value}`);
      return run.call(agent.shell, asked);
    };
    markIn((await play(agent, bash("make-env"))).forms.shown);
    assert.ok(!everything(agent.disk).includes(value));
  });

  it("of an .env file in an odd place are known once it is read or written", async () => {
    const agent = await start({
      mode: "auto",
      files: { "very/deep/.env": `API_KEY=${value}\n`, "a.ts": `"${value}"\n` },
    });
    // Such files are protected: each call asks.
    agent.session.subscribe(event => {
      if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
      const { approvalId } = event.record;
      setImmediate(() => agent.session.answer(approvalId, { decision: "allow", scope: "once" }));
    });
    const shown = await play(agent, read("very/deep/.env"));
    const mark = markIn(shown.forms.shown);
    assert.equal(markIn((await play(agent, read("a.ts"))).forms.shown), mark);
    const other = "k9m4q7k9m4q7";
    await play(agent, { name: "Write", input: { file_path: "other/.env", content: `DB_PASSWORD=${other}\n` } });
    agent.files.put("/ws/app/b.ts", other);
    markIn((await play(agent, read("b.ts"))).forms.shown);
  });

  it("a command asks where the model wrote the value itself, and runs as it was written", async () => {
    const agent = await start({ mode: "auto", secrets: { environment } });
    agent.models.play({ calls: [bash(`curl -H 'key: ${value}' localhost`)] }, { text: "ok" });
    await agent.session.submit("go");
    const { action, approvalId } = await eventually("it asks", () => last(agent.session, "approval"));
    assert.equal(action.reason, "names a secret hidden from the model");
    const mark = markIn(action.title);
    assert.ok(!JSON.stringify(action).includes(value));
    agent.session.answer(approvalId, { decision: "allow", scope: "session" });
    await agent.session.idle();
    assert.deepEqual(pluck(agent.shell.runs, "command"), [`curl -H 'key: ${value}' localhost`]);
    agent.models.play({ calls: [bash(`echo ${mark}`)] }, { text: "ok" });
    await agent.session.submit("go");
    const next = await eventually("it asks", () => {
      const asked = last(agent.session, "approval");
      return asked.approvalId === approvalId ? undefined : asked;
    });
    assert.equal(next.action.reason, "names a secret hidden from the model");
    agent.session.answer(next.approvalId, { decision: "allow", scope: "once" });
    await agent.session.idle();
    assert.equal(agent.shell.runs.at(-1)?.command, `echo ${mark}`, "never put back in a command");
  });

  it("a placeholder is not put back in the name of a file", async () => {
    const agent = await start({ mode: "auto", secrets: { environment }, files: { "a.ts": `"${value}"\n` } });
    const mark = markIn((await play(agent, read("a.ts"))).forms.shown);
    for (const call of [
      { name: "Write", input: { file_path: `${mark}.txt`, content: "x" } },
      edit(`${mark}.txt`, "a", "b"),
    ]) {
      const { error, forms } = await play(agent, call);
      assert.equal(error?.code, "INVALID_INPUT");
      assert.match(forms.shown, /in the text of a file only, not in its name\. Nothing was changed\./);
    }
    assert.equal(agent.files.onDisk(`/ws/app/${value}.txt`), undefined);
    assert.equal(agent.files.onDisk(`/ws/app/${mark}.txt`), undefined);
  });

  it("are put back by a process that has never seen them, where the map was kept", async () => {
    const kept = new Map<string, string>();
    const memory: RedactorOptions["memory"] = {
      get: (mark, place) => kept.get(place + mark),
      set: (mark, secret, place) => kept.set(place + mark, secret),
    };
    const files = { "a.ts": `key = "ghp_${"x9Y8".repeat(9)}"\n`, "b.ts": "b\n" };
    const first = await start({ mode: "auto", files, secrets: { memory } });
    const shown = (await play(first, read("a.ts"))).forms.shown;
    const mark = /\[secret:github-token:[0-9a-f]{12}\]/.exec(shown)?.[0] ?? assert.fail(shown);
    const next = await start({ mode: "auto", files, secrets: { memory } });
    assert.equal((await play(next, read("b.ts"), edit("b.ts", "b", mark))).error, undefined);
    assert.equal(next.files.onDisk("/ws/app/b.ts"), `ghp_${"x9Y8".repeat(9)}\n`);
  });

  it("stand in no line of the program's own log", async () => {
    const agent = world({ secrets: { environment } });
    const session = await createSession({
      ...agent.ports,
      storage: Object.assign(agent.ports.storage, { writeMeta: () => Promise.reject(new Error(`no ${value}`)) }),
    });
    agent.models.play({ text: "ok" });
    await runTurn(session, "go");
    await eventually("the secret is logged as such", () =>
      agent.logged.find(({ fields }) => JSON.stringify(fields)?.includes("[secret:")),
    );
    assert.ok(!JSON.stringify(agent.logged).includes(value));
  });

  it("in the names of files reach no model and leave this machine in no export", async () => {
    const path = `src/${value}.ts`;
    const agent = await start({ mode: "auto", files: { [path]: "one\n" }, secrets: { environment } });
    agent.ports.surroundings.editor = () => ({
      activeFile: path,
      selection: { path, first: 1, last: 2 },
    });
    await play(agent, read(path), edit(path, "one", "two"));
    const sent = JSON.stringify(agent.models.requests);
    assert.match(sent, /In the editor: src\/\[secret:API_KEY:[0-9a-f]{12}\]\.ts, lines 1-2 selected/);
    const { text } = await exported({ ports: agent.ports, id: agent.session.id });
    for (const out of [sent, text]) assert.ok(!out.includes(value));
    assert.ok(everything(agent.disk).includes(`app/src/${value}.ts`), "here it is the file's name");
  });
});
