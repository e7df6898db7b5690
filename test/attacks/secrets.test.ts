/** Seeded secrets end to end: printed by a command in many ways, they reach no request, no log, no blob and no live output. */
import assert from "node:assert/strict";
import { secrets } from "../core/secrets/examples";
import { everything, runTurn, start } from "../fakes/agent";
import { exported } from "../fakes/bundle";
import { compactFirstTurn } from "../fakes/compacted";

const bash = { name: "Bash", input: { command: "deploy" } };
const red = (text: string) => `\u001b[31m${text}\u001b[0m`;

/** What a command prints, cut into pieces: what comes in two chunks is one secret. */
function pieces(text: string, size: number): ["stdout", string][] {
  const found: ["stdout", string][] = [];
  for (let at = 0; at < text.length; at += size) found.push(["stdout", text.slice(at, at + size)]);
  return found;
}

/** Runs a command that prints this; everything that came out of it, but what was shown of the question. */
async function spread(output: ["stdout", string][], environment: Record<string, string> = {}) {
  const agent = await start({ mode: "auto", shell: { "*": { output } }, secrets: { environment } });
  agent.models.play({ calls: [bash] }, { text: "done" });
  await runTurn(agent.session, "go");
  return { all: JSON.stringify([agent.models.requests, agent.events]) + everything(agent.disk), agent };
}

/** As it stands in JSON within JSON, too. */
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

function checkGone(all: string, secret: string, how: string) {
  for (const form of new Set([secret, quoted(secret), quoted(quoted(secret))])) assert.ok(!all.includes(form), how);
}

describe("secrets of every kind, everywhere that a session goes", () => {
  it("are in no request, record, blob, archive, log line, list of permissions and export", async () => {
    const lines = secrets.map(([text, secret]) => text.replace("@", () => secret));
    const agent = await start({
      ...{ mode: "auto", files: { "notes.md": lines.join("\n") } },
      // Long enough that it goes into a blob.
      shell: {
        "*": { output: pieces(`${lines.join("\n")}\n${"filler\n".repeat(20_000)}${lines.join("\n")}\n`, 4096) },
      },
      settings: { "log.payload": true },
    });
    const read = { name: "Read", input: { file_path: "notes.md" } };
    const wrong = { name: "Grep", input: { pattern: lines[0] ?? "" } };
    agent.models.play(
      { calls: [bash] },
      { calls: [read] },
      { calls: [wrong] },
      { text: `I saw ${lines.join(" and ")}.` },
      { text: "done" },
    );
    await runTurn(agent.session, `deploy with ${lines.join(", ")}`);
    await runTurn(agent.session, "go on");
    const { id } = agent.session;
    await agent.session.close();
    await compactFirstTurn(agent.ports, id);
    assert.ok(agent.disk.text(id, "archive/0001.jsonl"), "there is an archive");
    assert.ok((agent.disk.sessions.get(id)?.blobs.size ?? 0) > 0, "there is a blob");
    const { text } = await exported({ ports: agent.ports, id });
    // What the model itself writes is shown as it comes, and is nowhere later.
    const events = agent.events.filter(({ type }) => type !== "text");
    const all = [everything(agent.disk), JSON.stringify([agent.models.requests, agent.logged, events]), text];
    const hits = secrets.flatMap(([, secret]) =>
      [secret, quoted(secret), quoted(quoted(secret))].filter(form => all.some(each => each.includes(form))),
    );
    assert.deepEqual(hits, []);
    assert.ok(secrets.length >= 30);
  });
});

describe("secrets that a command prints", () => {
  // Of these the key in front of the secret tells what it is: a text around it has to stay with it.
  for (const [text, secret] of secrets) {
    const line = text.replace("@", () => secret);
    it(`${line.slice(0, 24)}…: in one piece, in many, coloured, in JSON`, async () => {
      for (const size of [10_000, 7, 1]) {
        const { all } = await spread(pieces(`before\n${line}\nafter\n`, size));
        checkGone(all, secret, `in pieces of ${size}`);
      }
      checkGone((await spread(pieces(`${red(line)}\n`, 50))).all, secret, "coloured");
      checkGone((await spread(pieces(`${JSON.stringify({ line })}\n`, 50))).all, secret, "in JSON");
    });
  }

  const known = "Zk4-q9+T/x2 8:mN;7vB_wY";
  for (const [how, form] of Object.entries({
    plainly: known,
    "in JSON": quoted(`"${known}"`),
    "in an address": encodeURIComponent(known),
    "in base64": Buffer.from(known).toString("base64"),
    "in hex": Buffer.from(known).toString("hex"),
    "in base64 within a longer text": Buffer.from(`user:${known}@host`).toString("base64"),
  }))
    it(`one of the environment, ${how}`, async () => {
      for (const size of [10_000, 5]) {
        const { all } = await spread(pieces(`value ${form} end\n`, size), { DEPLOY_PASSWORD: known });
        checkGone(all, form.replace(/=+$/, ""), how);
        checkGone(all, known, how);
      }
    });
});
