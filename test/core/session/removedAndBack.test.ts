/** A file that an undo took away and a redo brings back: byte for byte, with its permissions. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Session } from "../../../src/core/session/session";
import { RewoundAgent } from "../../fakes/rewound";

interface Way {
  undo(session: Session, uri: string): Promise<void>;
  redo(session: Session, uri: string): Promise<unknown>;
}

const ways: Record<string, Way> = {
  "an undo of its edits": {
    undo: (session, uri) => session.edits.undoFile({ turn: 1, uri }),
    redo: (session, uri) => session.edits.redoFile({ turn: 1, uri }),
  },
  "a review": {
    undo: (session, uri) => session.review.undo(uri),
    redo: (session, uri) => session.review.redo(uri),
  },
};

describe("a file that is taken away and comes back", () => {
  for (const [name, { undo, redo }] of Object.entries(ways))
    it(`by ${name} has the bytes and the permissions that it had, after a reload too`, async () => {
      const agent = await RewoundAgent.start();
      await agent.turn({ path: "run.sh", text: "echo\n" });
      agent.write("run.sh", Buffer.from("\uFEFFecho\n", "utf16le"));
      agent.chmod("run.sh", 0o755);
      const before = agent.state();
      const { href } = pathToFileURL(join(agent.folder, "run.sh"));
      for (let round = 0; round < 2; round += 1) {
        await undo(agent.session, href);
        assert.deepEqual(agent.state(), {});
        await agent.reopen();
        await redo(agent.session, href);
        assert.deepEqual(agent.state(), before);
      }
      await agent.end();
    });
});
