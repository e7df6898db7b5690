import assert from "node:assert/strict";
import { corpus, decided } from "./corpus";

describe("corpus of commands", () => {
  it("decides about each as a person would", async () => {
    const wrong: string[] = [];
    for (const { command, expected, ...state } of corpus()) {
      const { decision, reason } = await decided(command, state);
      if (decision !== expected)
        wrong.push(`${expected} expected, ${decision} (${reason ?? ""}): ${JSON.stringify(command)}`);
    }
    assert.deepEqual(wrong, []);
  });
});
