/** `strata verify` and `strata show --request`: over a session in memory, and as a user runs them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showRequest, verify } from "../../src/terminal/transfer";
import { flipped, fullSession } from "../fakes/proof";
import { printed } from "../terminal/printed";
import { inPlace, program, runArgs, said, withModel } from "./program";

describe("printing a proof", () => {
  let session: Awaited<ReturnType<typeof fullSession>>;
  before(async () => {
    session = await fullSession({ words: "fix @src/a.ts" });
  });
  const show = async (request: number, json = false) => {
    const { texts, streams } = printed();
    const wanted = { session: session.id, json, request };
    return { code: await showRequest(session.ports.storage, wanted, streams), ...texts };
  };
  const prove = async (json = false) => {
    const { texts, streams } = printed();
    return { code: await verify(session.ports.storage, { session: session.id, json }, streams), ...texts };
  };

  it("shows a request: layers with source, form, tokens and trust, and what they say", async () => {
    const { code, out, err } = await show(-1);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Request 7\nreq_\d+, turn 2, step 2, attempt 1, scripted, 2026-01-01T/);
    for (const part of [
      /── 1 {2}L1 {2}tools {2}tools {2}raw {2}[\d,]+ tokens {2}trust: strata\nRead: \{"name":"Read"/,
      /── 4 {2}L2 {2}system {2}rules:AGENTS\.md .* trust: rules\nRules from AGENTS\.md:\n\nBe kind/,
      /L3 {2}assistant {2}message:msg_\d+ {2}kept .* trust: model\n\(thinking\) Look first\.\nI look\.\n→ Read call_1 \{"file_path":"src\/a\.ts"\}/,
      /turn {2}tool {2}result:call_1 {2}shown .* trust: tool\n← Read call_1\n1\ttwo/,
      /tail {2}user {2}tail:todo .*\nThe todo list now:/,
    ]) {
      assert.match(out, part);
    }
  });

  it("proves, with totals", async () => {
    const { code, out } = await prove();
    assert.equal(code, 0);
    assert.match(
      out,
      /^Everything is there as it was sent\.\n {2}7 requests, 7 proven\n {2}[\d,]+ tokens sent \(estimate\), \d+ % of/,
    );
    assert.match(out, /\n {2}prefix breaks: turn-end 1\n {2}7 observations as recorded\n$/);
    assert.equal(JSON.parse((await prove(true)).out).proven, 7);
  });

  it("names what is not as it was sent, and shows the rest of the request", async () => {
    const { disk, id } = session;
    const log = disk.text(id, "history.jsonl") ?? "";
    disk.put(id, "history.jsonl", log.replaceAll("I look.", "I took."));
    const { code, out } = await prove();
    assert.equal(code, 1);
    assert.match(out, /^1 thing .*\n {2}7 requests, 1 proven\n/);
    assert.match(
      out,
      /\n {2}request 2, segment 6, message:msg_\d+: is not as it was sent\n {4}expected [0-9a-f]{64}, found [0-9a-f]{64}\n/,
    );
    assert.match(out, /\n {2}5 more requests are not proven: that follows from this\.\n$/);
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
  this.timeout(180_000);
  const { place, strata } = program();

  it("proves a session, shows its requests, and names a damaged blob", () =>
    withModel(
      request =>
        said(request).length > 0
          ? { text: "It says one." }
          : { calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
      async url => {
        const at = place();
        const where = inPlace(at);
        assert.equal((await strata(at, runArgs(at, url, "--prompt", "what is in a.txt?"))).code, 0);
        const { id } = JSON.parse((await strata(at, ["sessions", "--json", ...where])).out);

        const proof = await strata(at, ["verify", id, ...where]);
        assert.deepEqual([proof.code, proof.err], [0, ""]);
        assert.match(proof.out, /^Everything is there as it was sent\.\n {2}2 requests, 2 proven\n/);
        const last = await strata(at, ["show", id, "--request", "-1", "--json", ...where]);
        assert.match(JSON.parse(last.out).messages.at(-1).content[0].output.value, /1\tone/);
        const none = await strata(at, ["show", id, "--request", "3", ...where]);
        assert.equal(none.code, 2);
        assert.match(none.err, /^[^\n]* 2 requests[^\n]* 3\.\n$/);

        const blobs = join(at.storage, "sessions", id, "blobs");
        const [name = ""] = readdirSync(blobs);
        writeFileSync(join(blobs, name), flipped(readFileSync(join(blobs, name)), 0, 1));
        const damaged = await strata(at, ["verify", id, "--json", ...where]);
        assert.equal(damaged.code, 1);
        const [{ request, expected }] = JSON.parse(damaged.out).defects;
        assert.deepEqual([request, expected], [1, name]);
      },
    ));
});
