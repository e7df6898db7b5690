/** The second attack on rules: what is allowed is what its author meant, what is forbidden is so in every spelling. */
import assert from "node:assert/strict";
import { decided } from "../core/permissions/corpus";
import { cases } from "./rulesCases";

describe("attack 23, once more: rules", function () {
  this.timeout(600_000);

  it("hold for what they say, and for nothing else", async () => {
    const wrong: string[] = [];
    let rules = { allow: [] as string[], deny: [] as string[] };
    for (const line of cases.split("\n").filter(Boolean)) {
      if (line.startsWith("== ")) {
        const texts = line.slice(3).split(/ (?=[+-][A-Z])/);
        const of = (sign: string) => texts.filter(text => text.startsWith(sign)).map(text => text.slice(1));
        rules = { allow: of("+"), deny: of("-") };
        continue;
      }
      const [, expected, written = ""] = /^(\w+) (.*)$/s.exec(line) ?? [];
      const command = written
        .replaceAll("␊", "\n")
        .replace(/⟨([0-9a-f]+)⟩/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
      const verdict = await decided(command, { rules, ...(rules.deny.length > 0 && { confined: "offline" as const }) });
      if (verdict.decision !== expected) wrong.push(`${verdict.decision} ${command}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("a file with the name of an option keeps a pattern from standing for files", async () => {
    const files = { app: { "--evil": "x", "a.ts": "x", "src/b.ts": "x" } };
    const rules = { allow: ["Bash(npm test *)"] };
    const of = async (command: string) => (await decided(command, { rules }, files)).decision;
    assert.deepEqual(await Promise.all(["npm test *", "npm test -*", "npm test [!a]*"].map(of)), ["ask", "ask", "ask"]);
    const harmless = ["npm test *.ts", "npm test ./*", "npm test src/*", "npm test -- *"];
    assert.deepEqual(await Promise.all(harmless.map(of)), ["allow", "allow", "allow", "allow"]);
  });
});
