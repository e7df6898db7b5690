import assert from "node:assert/strict";
import { counts } from "../../scripts/lib/parts.mjs";

describe("counts of a test run", () => {
  const check = (output: string, code: number, expected: [passed: number, failed: number, skipped: number]) => {
    const { passed, failed, skipped } = counts(output, code);
    assert.deepEqual([passed, failed, skipped], expected);
  };

  it("are those that mocha prints", () => {
    check("  ...\n\n  12 passing (3s)\n", 0, [12, 0, 0]);
    check("  12 passing (3s)\n  1 pending\n  2 failing\n\n  1) x", 2, [12, 2, 1]);
  });

  it("hold a failure where the run ended badly, or ran nothing", () => {
    check("  12 passing (3s)\n", 1, [12, 1, 0]);
    check("Segmentation fault", 139, [0, 1, 0]);
    check("  0 passing (1ms)\n", 0, [0, 1, 0]);
    check("", 0, [0, 1, 0]);
  });
});
