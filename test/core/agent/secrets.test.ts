/** Secrets in whole turns: placeholders never reach a file or a shell unasked. */

import assert from "node:assert/strict";
import { createRedactor } from "../../../src/core/secrets/redact";
import { edit, everything, last, read, runTurn, start } from "../../fakes/agent";
import { eventually } from "../../fakes/eventually";
import { hash } from "../../fakes/hash";
import { pluck } from "../../fakes/pluck";

const secret = `sk-proj-${"a1B2".repeat(8)}`;
const dashes = "-----";
const key = [
  `${dashes}BEGIN PRIVATE KEY${dashes}`,
  ...Array.from({ length: 4 }, (_, line) => `${line}${"aB3/".repeat(15)}xyz`),
  `${dashes}END PRIVATE KEY${dashes}`,
].join("\n");
/** As another process with the same key would have written it. */
const mark = createRedactor(text => hash.sha256(`key ${text}`)).redact(secret);

async function runs(
  agent: Awaited<ReturnType<typeof start>>,
  ...calls: { name: string; input: Record<string, string> }[]
): Promise<{ code: string | undefined; text: string }> {
  agent.models.play(...calls.map(call => ({ calls: [call] })), { text: "ok" });
  await runTurn(agent.session, "go");
  const result = last(agent.session, "result");
  return { code: result.error?.code, text: result.forms.shown };
}

describe("secrets in a turn", () => {
  it("a placeholder of another process is not written until the file is read again", async () => {
    const agent = await start({ mode: "edits", files: { "k.ts": `key = "${secret}"\nb = 1\n`, "o.ts": "b = 1\n" } });
    const first = await runs(agent, read("o.ts"), edit("o.ts", "b = 1", `b = "${mark}"`));
    assert.equal(first.code, "INVALID_INPUT");
    assert.match(
      first.text,
      /is not known in this session\. Nothing was changed\. Read the file it stands in first, then repeat the edit\./,
    );
    assert.equal(agent.files.onDisk("/ws/app/o.ts"), "b = 1\n");
    const again = await runs(agent, read("k.ts"), edit("k.ts", `key = "${mark}"`, `k = "${mark}"`));
    assert.equal(again.code, undefined);
    assert.equal(agent.files.onDisk("/ws/app/k.ts"), `k = "${secret}"\nb = 1\n`);
  });

  it("a key of several lines is never written back; the lines around it can be edited", async () => {
    const before = `const a = 1;\n${key}\nconst b = 2;\n`;
    const agent = await start({ mode: "edits", files: { "k.ts": before } });
    const { text } = await runs(agent, read("k.ts"));
    const shown = /\[secret:private-key:[0-9a-f]{12}\]/.exec(text)?.[0];
    assert.ok(shown, text);
    const refused = await runs(agent, edit("k.ts", `${shown}\nconst b = 2;`, `${shown}\nconst b = 3;`));
    assert.equal(refused.code, "INVALID_INPUT");
    assert.match(refused.text, /stands for a key of several lines/);
    const write = await runs(agent, { name: "Write", input: { file_path: "k.ts", content: `${shown}\n` } });
    assert.equal(write.code, "INVALID_INPUT");
    assert.equal(agent.files.onDisk("/ws/app/k.ts"), before);
    await runs(agent, edit("k.ts", "const b = 2;", "const b = 3;"));
    assert.equal(agent.files.onDisk("/ws/app/k.ts"), before.replace("b = 2", "b = 3"));
  });

  it("a key that the model itself makes is written, and logged as a placeholder", async () => {
    const agent = await start({ mode: "edits" });
    const written = await runs(agent, { name: "Write", input: { file_path: "t.pem.txt", content: key } });
    assert.equal(written.code, undefined, written.text);
    assert.equal(agent.files.onDisk("/ws/app/t.pem.txt"), key);
    assert.ok(!everything(agent.disk).includes(key.split("\n")[2] ?? key));
  });

  it("a command that names one asks in every mode, and runs with the placeholder as it stands", async () => {
    const agent = await start({ mode: "auto", files: { "k.ts": secret } });
    const command = `curl -H 'key: ${mark}' localhost`;
    agent.models.play({ calls: [read("k.ts")] }, { calls: [{ name: "Bash", input: { command } }] }, { text: "ok" });
    await agent.session.submit("go");
    const question = await eventually("it asks", () => last(agent.session, "approval"));
    assert.equal(question.action.reason, "names a secret hidden from the model");
    assert.deepEqual(question.action.detail, { type: "command", command, cwd: "/ws/app", place: "" });
    agent.session.answer(question.approvalId, { decision: "allow", scope: "once" });
    await agent.session.idle();
    assert.deepEqual(pluck(agent.shell.runs, "command"), [command]);
  });
});
