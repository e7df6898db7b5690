import assert from "node:assert/strict";
import pairs from "../../../bench/corpora/denials.json";
import { afterDenial, type DenialCase, passes } from "./denied";

const cases = pairs as DenialCase[];
const shown = ({ denied, then }: DenialCase) => `${JSON.stringify(denied)} → ${JSON.stringify(then)}`;

describe("what was refused", () => {
  for (const pass of Object.keys(passes))
    it(`asks in whatever words it comes back, with ${pass}`, async () => {
      const wrong: string[] = [];
      for (const pair of cases.filter(({ expect }) => expect === "asks")) {
        const { verdict, facts } = await afterDenial(pair, pass);
        const isKept = verdict.decision === "ask" || (verdict.decision === "allow" && verdict.by === "sandbox");
        if (!isKept) wrong.push(`${shown(pair)} ${JSON.stringify(facts)}`);
      }
      assert.deepEqual(wrong, []);
    });

  it("leaves its neighbours alone", async () => {
    const neighbours = cases.filter(({ expect }) => expect === "runs");
    for (const pass of ["an allow rule", "runEverything"]) {
      const asked: string[] = [];
      for (const pair of neighbours) {
        const { verdict, before } = await afterDenial(pair, pass);
        if (verdict.decision === "ask" && before.decision !== "ask") asked.push(shown(pair));
      }
      assert.ok(asked.length <= neighbours.length * 0.05, asked.join("\n"));
    }
  });
});
