/** Finding, while the conversation goes on: the match that is looked at, and the way to it. */
import assert from "node:assert/strict";
import { setImmediate as settle } from "node:timers/promises";
import type { FindHit } from "../../src/shared/findProtocol";
import type { Host } from "../../webview-ui/src/bridge/host";
import { matchAt, PanelFind } from "../../webview-ui/src/panel/find";
import { createStore } from "../../webview-ui/src/store/store";
import { Script } from "../panel/script";
import { events, opened } from "./outline";

/** Something is looked for in a session of which the end is loaded. `came`: older records came; `ended`: a turn did */
async function searched(...answers: FindHit[][]) {
  const script = new Script(50).user("go");
  const store = createStore(callback => callback());
  store.dispatch(opened({ records: [...script.records], hasOlder: true }));
  script.take();
  const host = { request: async () => ({ hits: answers.length > 1 ? answers.shift() : answers[0] }) };
  const waiting: (() => void)[] = [];
  const older = () => new Promise<void>(resolve => waiting.push(resolve));
  const find = new PanelFind(host as unknown as Host, store, older);
  const revealed: string[] = [];
  find.revealed.on(({ key }) => revealed.push(key));
  find.open("word");
  await settle();
  const ended = () => {
    store.dispatch(events(script.end("done")));
    return settle();
  };
  const came = () => {
    for (const done of waiting) done();
    return settle();
  };
  return { find, revealed, ended, came };
}

const hits = (...counts: number[]): FindHit[] =>
  counts.map((count, at) => ({ key: `item${at}`, seq: 60 + at, count })).filter(({ count }) => count > 0);

describe("panel find: a turn ends", () => {
  it("the match that is looked at stays, where others came before it or went", async () => {
    const { find, ended } = await searched(hits(1, 2, 3), hits(2, 2, 4), hits(0, 1, 1));
    find.step(-1);
    assert.deepEqual([matchAt(find.get()), find.get().at], [{ key: "item2", seq: 62, nth: 1 }, 4]);
    await ended();
    assert.deepEqual([matchAt(find.get()), find.get().at], [{ key: "item2", seq: 62, nth: 1 }, 5]);
    await ended();
    assert.deepEqual([matchAt(find.get())?.nth, find.get().at], [0, 1], "it is gone: the newest");
  });

  it("the way to what is not loaded goes on; one that was begun later, or closing, ends it", async () => {
    const { find, revealed, ended, came } = await searched([]);
    void find.reveal("old", 1);
    await ended();
    await came();
    assert.deepEqual(revealed, ["old"]);
    for (const other of [() => void find.reveal("new", 50), () => find.close()]) {
      void find.reveal("old", 1);
      other();
      await came();
    }
    assert.deepEqual(revealed, ["old", "new"]);
  });
});
