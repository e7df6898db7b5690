/** Where the editor goes when it follows the agent. */
import assert from "node:assert/strict";
import type { RecordOf } from "../../src/shared/records";
import { followedPlace } from "../../src/vscode/panel/followedPlace";

const result = (more: Partial<RecordOf<"result">>): RecordOf<"result"> => ({
  ...{ id: "r", seq: 1, ts: 1, kind: "result", messageId: "m", callId: "c", toolName: "Edit", turn: 1, step: 1 },
  ...{ status: "success", digest: "", durationMs: 1, forms: { shown: "" } },
  ...more,
});
const change = (uri: string, diff: string) => ({ uri, path: uri, created: false, added: 1, removed: 0, diff });
const read = { uri: "file:///b.ts", sha256: "", first: 3, last: 9 };

describe("following the agent", () => {
  it("goes to what was changed last, else to what was read", () => {
    const cases: [Partial<RecordOf<"result">>, ReturnType<typeof followedPlace>][] = [
      [{ reads: [read] }, { ...read }],
      [
        { reads: [read], changes: [change("file:///a.ts", "--- a\n+++ a\n@@ -1,2 +10,4 @@\n+x")] },
        { uri: "file:///a.ts", first: 10, last: 13 },
      ],
      [{ changes: [change("file:///a.ts", "@@ -0,0 +1 @@\n+x")] }, { uri: "file:///a.ts", first: 1, last: 1 }],
      [{ changes: [change("file:///a.ts", "")] }, { uri: "file:///a.ts", first: 1, last: 1 }],
      [{}, undefined],
    ];
    for (const [record, place] of cases) assert.deepEqual(followedPlace(result(record)), place);
  });
});
