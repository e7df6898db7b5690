import assert from "node:assert/strict";
import { decided } from "./corpus";
import { everyday } from "./everyday";

describe("everyday commands that only read", () => {
  const asked = async (confined?: "offline") => {
    const verdicts = await Promise.all(
      everyday.map(async command => ({ command, ...(await decided(command, { confined })) })),
    );
    return verdicts
      .filter(({ decision }) => decision !== "allow")
      .map(({ command, reason }) => `${command}: ${reason}`);
  };

  it("ask at most once in twenty where there is a sandbox, and run in the read-only one", async () => {
    const wrong = await asked("offline");
    assert.ok(wrong.length <= everyday.length * 0.05, wrong.join("\n"));
    for (const command of everyday) {
      const verdict = await decided(command, { mode: "edits", confined: "offline" });
      if (verdict.decision === "allow") assert.ok(verdict.by === "sandbox" && verdict.access === "read", command);
    }
  });

  it("ask at most once in eight where there is none", async () => {
    const wrong = await asked();
    assert.ok(wrong.length <= everyday.length * 0.13, `${wrong.length} of ${everyday.length}\n${wrong.join("\n")}`);
  });
});
