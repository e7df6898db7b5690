/**
 * A placeholder is no secret: logs, exports and commits have it. Whoever learned one must not get the secret by having it
 * written into a file elsewhere.
 */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import { foreignLog } from "../../src/core/proof/importSession";
import { createRedactor, type RedactorOptions } from "../../src/core/secrets/redact";
import { edit, last, read, reopened, runTurn, start, world } from "../fakes/agent";
import { exported, importInto } from "../fakes/bundle";
import { MemoryFiles } from "../fakes/files";
import { hash } from "../fakes/hash";

const token = `ghp_${"x9Y8".repeat(9)}`;
const files = { "a.ts": `key = "${token}"\n`, "b.ts": "b\n" };

/** What outlives a process, for all workspaces of a person. */
function keptSecrets(): RedactorOptions["memory"] {
  const kept = new Map<string, string>();
  return {
    get: (mark, place) => kept.get(`${place} ${mark}`),
    set: (mark, secret, place) => kept.set(`${place} ${mark}`, secret),
  };
}

type Agent = Pick<Awaited<ReturnType<typeof start>>, "models" | "session" | "files">;

async function play({ models, session }: Agent, ...calls: { name: string; input: Record<string, string> }[]) {
  models.play(...calls.map(call => ({ calls: [call] })), { text: "ok" });
  await runTurn(session, "go");
  return last(session, "result");
}

async function handOut(agent: Agent): Promise<string> {
  const { forms } = await play(agent, read("a.ts"));
  return /\[secret:github-token:[0-9a-f]{12}\]/.exec(forms.shown)?.[0] ?? assert.fail(forms.shown);
}

async function refused(agent: Agent, mark: string) {
  const before = agent.files.onDisk("/ws/app/b.ts");
  const { error } = await play(agent, read("b.ts"), edit("b.ts", "b", mark));
  assert.equal(error?.code, "INVALID_INPUT");
  assert.match(error?.message ?? "", /is not known in this session\. Nothing was changed\./);
  assert.equal(agent.files.onDisk("/ws/app/b.ts"), before);
}

describe("attack 9: a placeholder that others know", () => {
  it("is worth nothing in another session of the same workspace, and of the same process", async () => {
    const agent = await start({ mode: "auto", files });
    const mark = await handOut(agent);
    const other = { ...agent, session: await createSession(agent.ports) };
    await refused(other, mark);
    assert.equal(await handOut(other), mark, "the same secret reads the same");
    assert.equal((await play(other, read("b.ts"), edit("b.ts", "b", mark))).error, undefined);
    assert.equal(agent.files.onDisk("/ws/app/b.ts"), `${token}\n`);
  });

  it("is worth nothing in another workspace, even in a session of the same name", async () => {
    const secrets = { memory: keptSecrets() };
    const mark = await handOut(await start({ mode: "auto", files, secrets }));
    const agent = world({ mode: "auto", secrets });
    const elsewhere = new MemoryFiles({ other: files });
    const session = await createSession({ ...agent.ports, files: elsewhere });
    agent.models.play({ calls: [read("b.ts")] }, { calls: [edit("b.ts", "b", mark)] }, { text: "ok" });
    await runTurn(session, "go");
    assert.equal(last(session, "result").error?.code, "INVALID_INPUT");
    assert.equal(elsewhere.onDisk("/ws/other/b.ts"), "b\n");
  });

  it("says nothing of a variable that no session has seen", async () => {
    const environment = { API_TOKEN: "x1y2z3x1y2z3" };
    const mark = createRedactor(text => hash.sha256(`key ${text}`)).redact(token);
    const known = createRedactor(text => hash.sha256(`key ${text}`), { environment }).redact("x1y2z3x1y2z3");
    const agent = await start({ mode: "auto", files, secrets: { environment } });
    await refused(agent, known);
    await refused(agent, mark);
  });

  it("stands for its secret in the session when that is opened again, and when it comes back under another name", async () => {
    const secrets = { memory: keptSecrets() };
    const agent = await start({ mode: "auto", files, secrets });
    const mark = await handOut(agent);
    const { text } = await exported({ ports: agent.ports, id: agent.session.id });
    const { id, was } = await importInto(agent.ports.storage as never, text);
    assert.equal(was, agent.session.id);
    const family = await openSession(agent.ports, id);
    assert.equal((await play({ ...agent, session: family }, read("b.ts"), edit("b.ts", "b", mark))).error, undefined);
    assert.equal(agent.files.onDisk("/ws/app/b.ts"), `${token}\n`);
    const log = agent.disk.text(id, "history.jsonl") ?? "";
    const [header = ""] = foreignLog("ses_again", log, []).log.split("\n");
    assert.equal(JSON.parse(header).family, agent.session.id, "and when that comes back once more");
    const again = await reopened(agent.session, agent.ports);
    assert.equal((await play({ ...agent, session: again }, edit("a.ts", mark, "gone"))).error, undefined);
  });
});
