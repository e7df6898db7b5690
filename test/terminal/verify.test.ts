/** `strata verify` and `strata show --request`: over a session in memory, and as a user runs them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTerminal } from "../../esbuild.mjs";
import { startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { showRequest, verify } from "../../src/terminal/prove";
import { hash } from "../fakes/hash";
import { fullSession } from "../fakes/proof";

function printed() {
  const texts = { out: "", err: "" };
  const streams = {
    out: (text: string) => {
      texts.out += text;
    },
    err: (text: string) => {
      texts.err += text;
    },
  };
  return { texts, streams };
}

describe("printing a proof", () => {
  let session: Awaited<ReturnType<typeof fullSession>>;
  before(async () => {
    session = await fullSession({ words: "fix @src/a.ts \u001b[31mred\u0007" });
  });
  const show = async (request: number, json = false) => {
    const { texts, streams } = printed();
    const wanted = { session: session.id, json, request };
    return { code: await showRequest(session.ports.storage, hash, wanted, streams), ...texts };
  };
  const prove = async (json = false) => {
    const { texts, streams } = printed();
    return { code: await verify(session.ports.storage, hash, { session: session.id, json }, streams), ...texts };
  };

  it("shows a request: layers with source, form, tokens and trust, and what they say", async () => {
    const { code, out, err } = await show(-1);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Request 7\nreq_\d+, turn 2, step 2, attempt 1, scripted, 2026-01-01T/);
    for (const part of [
      /── 1 {2}L1 {2}tools {2}tools {2}raw {2}\d+ tokens {2}trust: strata\nRead: \{"name":"Read"/,
      /── 4 {2}L2 {2}system {2}rules:AGENTS\.md .* trust: rules\nRules from AGENTS\.md:\n\nBe kind/,
      /L3 {2}assistant {2}message:msg_\d+ {2}kept .* trust: model\n\(thinking\) Look first\.\nI look\.\n→ Read call_1 \{"file_path":"src\/a\.ts"\}/,
      /turn {2}tool {2}result:call_1 {2}shown .* trust: tool\n← Read call_1\n {4}1\ttwo/,
      /tail {2}user {2}tail:todo .*\nThe todo list now:/,
    ]) {
      assert.match(out, part);
    }
  });

  it("lets no text steer the terminal", async () => {
    const { out } = await show(1);
    assert.match(out, /fix @src\/a\.ts red/);
    assert.doesNotMatch(out.replaceAll("\n", "").replaceAll("\t", ""), /\p{Cc}/u);
  });

  it("prints the canonical JSON", async () => {
    const { code, out } = await show(1, true);
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(JSON.parse(out)), ["instructions", "tools", "messages", "callOptions"]);
  });

  it("proves, with totals", async () => {
    const { code, out } = await prove();
    assert.equal(code, 0);
    assert.match(
      out,
      /^Everything is there as it was sent\.\n7 requests, 7 proven\n\d+ tokens sent \(estimate\), \d+ % of/,
    );
    assert.match(out, /\nprefix breaks: none\n7 observations as recorded\n$/);
    assert.equal(JSON.parse((await prove(true)).out).proven, 7);
  });

  it("names what is not as it was sent, and shows the rest of the request", async () => {
    const { disk, id } = session;
    const log = disk.text(id, "history.jsonl") ?? "";
    disk.put(id, "history.jsonl", log.replaceAll("I look.", "I took."));
    const { code, out } = await prove();
    assert.equal(code, 1);
    assert.match(out, /^1 thing .*\n7 requests, 1 proven\n/);
    assert.match(
      out,
      /! request 2, segment 6, message:msg_\d+: is not as it was sent\n {4}expected [0-9a-f]{64}\n {4}found {4}[0-9a-f]{64}\n/,
    );
    const shown = await show(2);
    assert.equal(shown.code, 1);
    assert.match(shown.out, /\(not there as it was sent\)[\s\S]*← Read call_1/);
    assert.match(shown.err, /segment 6/);
    const json = await show(2, true);
    assert.deepEqual([json.code, json.out], [1, ""]);
    disk.put(id, "history.jsonl", log);
  });
});

describe("strata verify, as a user runs it", function () {
  this.timeout(60_000);
  const home = mkdtempSync(join(tmpdir(), "strata-verify-"));
  const program = join(process.cwd(), "out/cli-to-verify.cjs");
  before(() => buildTerminal(program));
  after(() => rmSync(home, { recursive: true, force: true }));

  const strata = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>(resolve => {
      const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, "config") };
      const where = ["--workspace", join(home, "ws"), "--storage", join(home, "storage")];
      const child = execFile(process.execPath, [program, ...args, ...where], { env }, (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });

  it("proves a session, shows its requests, and names a damaged blob", async () => {
    mkdirSync(join(home, "ws"));
    writeFileSync(join(home, "ws", "a.txt"), "one\n");
    const model = await startOfflineModel({
      script: ({ messages }) =>
        messages.some(({ role }) => role === "tool")
          ? { text: "It says one." }
          : { calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
    });
    const run = ["run", "--base-url", model.url, "--model", "offline-model", "--prompt", "what is in a.txt?"];
    assert.equal((await strata(...run)).code, 0);
    await model.close();
    const id = JSON.parse((await strata("sessions", "--json")).out).id;

    const proof = await strata("verify", id);
    assert.deepEqual([proof.code, proof.err], [0, ""]);
    assert.match(proof.out, /^Everything is there as it was sent\.\n2 requests, 2 proven\n/);
    const last = await strata("show", id, "--request", "-1", "--json");
    assert.match(JSON.parse(last.out).messages.at(-1).content[0].output.value, /1\tone/);
    const none = await strata("show", id, "--request", "3");
    assert.deepEqual([none.code, none.err], [2, "This session has 2 requests, so there is no request 3.\n"]);

    const blobs = join(home, "storage/sessions", id, "blobs");
    const [name = ""] = readdirSync(blobs);
    const data = readFileSync(join(blobs, name));
    data.writeUInt8(data.readUInt8(0) ^ 1, 0);
    writeFileSync(join(blobs, name), data);
    const damaged = await strata("verify", id, "--json");
    assert.equal(damaged.code, 1);
    const [{ request, expected }] = JSON.parse(damaged.out).defects;
    assert.deepEqual([request, expected], [1, name]);
  });
});
