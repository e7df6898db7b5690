/** Two runs in terminals, each with a storage of its own, at one line of a file: who comes second is told whose it is. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { pidIn, program, runArgs, said, withModel } from "./program";

const edit = (old_string: string, new_string: string) => ({
  name: "Edit",
  input: { file_path: "a.txt", old_string, new_string },
});
const read = { name: "Read", input: { file_path: "a.txt" } };
const bash = { name: "Bash", input: { command: "echo $$ > pid; exec sleep 600" } };

/** The first run edits and stays at work; the others edit the same line. */
function script(request: OfflineRequest) {
  const isSecond = JSON.stringify(request.messages).includes("Make it faster");
  const call = (isSecond ? [read, edit("ONE", "1")] : [read, edit("one", "ONE"), bash])[said(request).length];
  return call ? { calls: [call] } : { text: `Told: ${JSON.stringify(said(request).at(-1))}` };
}

describe("two runs at one line", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  it("the second is refused with the first one's name, also after a crash of that; once it was closed, no more", () =>
    withModel(script, async url => {
      const at = place();
      const run = (...more: string[]) => runArgs(at, url, "--mode", "auto", "--trust", "--prompt", ...more);
      // As a panel has, or a second window.
      const elsewhere = { ...at, storage: `${at.storage}-2` };
      const second = () =>
        strata(at, runArgs(elsewhere, url, "--mode", "auto", "--trust", "--prompt", "Make it faster"));
      let kill = (_: NodeJS.Signals) => undefined as unknown;
      const first = strata(at, run("Fix login"), started => {
        kill = started.kill;
      });
      const pid = await pidIn(at, "pid");
      const refused = /DENIED.*Another session, \\?"Fix login\\?", changed these lines of a\.txt/s;
      assert.match((await second()).out, refused);
      kill("SIGKILL");
      process.kill(pid, "SIGKILL");
      await first;
      assert.match((await second()).out, refused);
      assert.equal(readFileSync(join(at.workspace, "a.txt"), "utf8"), "ONE\n");
      const { out } = await strata(at, ["sessions", "--storage", at.storage, "--json"]);
      const ids = out
        .trim()
        .split("\n")
        .map(line => JSON.parse(line) as { id: string; title: string });
      await strata(at, run("Enough", "--session", ids.find(({ title }) => title === "Fix login")?.id ?? ""));
      await second();
      assert.equal(readFileSync(join(at.workspace, "a.txt"), "utf8"), "1\n");
    }));
});
