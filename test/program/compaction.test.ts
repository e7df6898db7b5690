/** Compaction as a user runs it: processes of their own, a model over HTTP, files on disk. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { SUMMARY } from "../fakes/longConversation";
import { inPlace, type Place, program, runArgs, said, withModel } from "./program";

const isSummary = (request: OfflineRequest) =>
  (request.messages.at(-1)?.text ?? "").includes("Write the archive summary of");
describe("compaction of a session in a terminal", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  /** Three rounds, the first with an output of 3,000 lines. */
  async function rounds(
    url: string,
  ): Promise<{ at: Place; id: string; on: (...args: string[]) => ReturnType<typeof strata> }> {
    const at = { ...place(), env: { STRATA_HISTORY_KEEP_ROUNDS: "1" } };
    for (const prompt of ["count", "and then?", "go on"]) {
      const more = prompt === "count" ? [] : ["--continue"];
      const { code, err } = await strata(
        at,
        runArgs(at, url, "--mode", "auto", "--trust", "--prompt", prompt, ...more),
      );
      assert.equal(code, 0, err);
    }
    const [id = ""] = readdirSync(join(at.storage, "sessions"));
    const agent = ["--base-url", url, "--model", "offline-model", "--trust"];
    const files = inPlace(at);
    return {
      at,
      id,
      on: (...args) =>
        strata(at, [...args, ...files, ...(["compact", "undo", "redo"].includes(args[0] ?? "") ? agent : [])]),
    };
  }

  const answer = (request: OfflineRequest) =>
    said(request).length > 0 || request.messages.some(({ role }) => role === "assistant")
      ? { text: `Done. ${"word ".repeat(3000)}` }
      : { calls: [{ name: "Bash", input: { command: "seq 1 3000" } }] };

  it("summarises, proves, recalls, undoes, redoes, and goes out and in again with its archive", () =>
    withModel(
      request => (isSummary(request) ? { text: SUMMARY } : answer(request)),
      async url => {
        const { at, id, on } = await rounds(url);
        const preview = await on("compact", id, "--preview");
        assert.match(preview.out, /2 turns would be summarised/);
        const { code, out, err } = await on("compact", id, "keep", "names");
        assert.deepEqual([code, out], [0, ""], err);
        assert.match(
          err,
          /· Compacting history[\s\S]*· History compacted: .* tokens, 2 turns summarised, 1 kept, as you asked/,
        );
        const live = () => readFileSync(join(at.storage, "sessions", id, "history.jsonl"), "utf8");
        assert.match(live(), /round half up/);
        assert.doesNotMatch(live(), /"seq 1 3000"/);
        const proof = /^Everything is there as it was sent\./;
        assert.match((await on("verify", id)).out, proof);
        assert.match(
          (await on("explain", id)).out,
          /as you asked: “keep names”\.\n.* Kept: turn 3, the newest\.\n +## 📌[\s\S]*round half up/,
        );
        assert.match((await on("show", id)).out, /> count[\s\S]*· History compacted/);
        const exported = await on("export", id, "compacted.strata.jsonl");
        assert.equal(exported.code, 0, exported.err);
        const elsewhere = ["--workspace", at.workspace, "--storage", join(at.home, "elsewhere")];
        const imported = await strata(at, ["import", "compacted.strata.jsonl", ...elsewhere]);
        assert.deepEqual([imported.code, imported.out], [0, `${id}\n`]);
        assert.match((await strata(at, ["verify", id, ...elsewhere])).out, proof);

        assert.match((await on("compact", id, "undo")).err, /^· A compaction was undone: /);
        assert.match(live(), /"seq 1 3000"/);
        assert.match((await on("verify", id)).out, proof);
        assert.match((await on("compact", id, "redo")).err, /^· A compaction was redone: /);
        assert.doesNotMatch(live(), /"seq 1 3000"/);
        const next = await strata(at, runArgs(at, url, "--trust", "--continue", "--prompt", "more"));
        assert.equal(next.code, 0, next.err);
        assert.match((await on("verify", id)).out, proof);
      },
    ));
});
