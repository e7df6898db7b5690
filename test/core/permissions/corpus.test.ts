import assert from "node:assert/strict";
import { corpus, decided } from "./corpus";

describe("corpus of commands", () => {
  it("decides about each as a person would", async () => {
    const wrong: string[] = [];
    for (const { command, expected, ...state } of corpus()) {
      const { decision, reason } = await decided(command, state);
      if (decision !== (expected === "reads" ? "ask" : expected))
        wrong.push(`${expected} expected, ${decision} (${reason ?? ""}): ${JSON.stringify(command)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("runs in a read-only sandbox what seems to read", async () => {
    const wrong: string[] = [];
    for (const { command, expected, mode, rules } of corpus().filter(({ expected }) => expected === "reads")) {
      for (const each of mode === "ask" ? [] : (["edits", "auto"] as const)) {
        const verdict = await decided(command, { mode: each, rules, confined: "online" });
        if (verdict.by !== "sandbox" || verdict.access !== "read")
          wrong.push(`${expected} expected, ${verdict.decision} (${verdict.by} ${verdict.reason ?? ""}): ${command}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
