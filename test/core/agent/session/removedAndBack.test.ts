/** A file that an undo took away and a redo brings back: byte for byte, with its permissions. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Session } from "../../../../src/core/agent/session/session";
import { eventually } from "../../../fakes/eventually";
import { RewoundAgent } from "../../../fakes/rewound";

interface Way {
  undo(session: Session, uri: string): Promise<void>;
  redo(session: Session, uri: string): Promise<unknown>;
}

const ways: Record<string, Way> = {
  "an undo of its edits": {
    undo: (session, uri) => session.edits.revert("undo", { turn: 1, uri }),
    redo: (session, uri) => session.edits.revert("redo", { turn: 1, uri }),
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

  const all: Record<string, Way["undo"]> = {
    ...Object.fromEntries(Object.entries(ways).map(([name, { undo }]) => [name, undo])),
    "an undo of all files": (session, uri) => session.review.undoAll([{ uri }]),
  };
  for (const [name, undo] of Object.entries(all))
    it(`by ${name} takes the folders along that were made for it, and no others`, async () => {
      const agent = await RewoundAgent.start({ "kept/by/person.txt": "p\n" });
      mkdirSync(join(agent.folder, "empty"));
      const { birthtimeMs } = statSync(join(agent.folder, "empty"));
      await eventually("it is surely older", () => Date.now() - birthtimeMs > 50);
      const paths = ["new/deep/er/a.ts", "new/b.ts", "kept/by/agent/c.ts", "empty/d.ts"];
      await agent.turn(...paths.map(path => ({ path, text: "x\n" })));
      const uri = (path: string) => pathToFileURL(join(agent.folder, path)).href;
      const there = (...names: string[]) => names.filter(path => existsSync(join(agent.folder, path)));
      const folders = ["new", "new/deep", "kept/by/agent", "kept/by", "empty"];
      await undo(agent.session, uri("new/deep/er/a.ts"));
      assert.deepEqual(there(...folders), ["new", "kept/by/agent", "kept/by", "empty"]);
      await agent.reopen();
      for (const path of paths.slice(1)) await undo(agent.session, uri(path));
      assert.deepEqual(there(...folders), ["kept/by", "empty"]);
      assert.deepEqual(Object.keys(agent.state()), ["kept/by/person.txt"]);
      await agent.end();
    });
});
