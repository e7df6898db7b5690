/** The last word of a run about files, where it cannot know all of them. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/agent/session/openSession";
import { printChangedFiles } from "../../src/terminal/run";
import { edit, edited, named } from "../core/changes/timeline/edited";
import { compactFirstTurn } from "../fakes/compacted";
import { printed } from "./printed";

describe("strata run: the files that a turn changed", () => {
  it("are not all of them where its archive cannot be read, and that is said", async () => {
    const { session, ports, disk } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const { id } = session;
    const print = async (of: typeof session) => {
      const { texts, streams } = printed();
      await printChangedFiles(of, streams);
      return texts.err;
    };
    assert.equal(await print(session), "1 file changed: src/a.ts +1 −1\n");
    await session.close();
    await compactFirstTurn(ports, id);
    disk.sessions.get(id)?.files.delete("archive/0001.jsonl");
    const again = await openSession(ports, id);
    assert.equal(
      await print(again),
      "! archive/0001.jsonl of this session is missing or cannot be read (turns 1–1): what this turn changed there is not listed.\n",
    );
    await again.close();
  });
});
