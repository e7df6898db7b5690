/** What an observer leaves behind where it cannot look. */
import assert from "node:assert/strict";
import { CommandObserver } from "../../../src/core/commands/commandObserver";
import type { CommandChanges } from "../../../src/core/ground/ports";
import type { RunContext } from "../../../src/core/tool/tool";

type Ports = ConstructorParameters<typeof CommandObserver>[0];

describe("the observer around commands", () => {
  it("ends its look at the workspace where the command cannot run after all", async () => {
    let [begun, ended] = [0, 0];
    const before = async () => {
      begun += 1;
      return async (): Promise<CommandChanges> => {
        ended += 1;
        return { changes: [], gaps: [] };
      };
    };
    const fail = () => Promise.reject(new TypeError("no file system"));
    const workspace = {
      baseline: { before, prepare: () => undefined, close: async () => undefined },
      history: { records: [] },
    } as unknown as NonNullable<Ports["workspace"]>;
    const observer = new CommandObserver({
      files: { resolve: fail, stat: fail, read: fail } as unknown as Ports["files"],
      stamps: () => new Map([["file:///ws/app/a.ts", { mtime: 1, sha256: "0", dirty: false }]]),
      textOf: async () => undefined,
      clock: { now: () => 1 },
      dirtyFiles: () => "leave",
      workspace,
    });
    let ran = false;
    const run = { callId: "c1", turn: 1, signal: new AbortController().signal } as RunContext;
    const around = observer.observe({ asked: [], mayWrite: true }, run, async () => {
      ran = true;
      return { result: { status: "ok", text: "", data: {} } } as never;
    });
    await assert.rejects(around, /no file system/);
    assert.deepEqual([ran, begun, ended], [false, 1, 1]);
  });
});
