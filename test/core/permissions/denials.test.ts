import assert from "node:assert/strict";
import pairs from "../../../bench/corpora/denials.json";
import later from "../../../bench/corpora/denials2.json";
import { coveredDenials, denialFacts, deniedFiles } from "../../../src/core/permissions/denials";
import { decide } from "../../../src/core/permissions/policy";
import { MemoryFiles } from "../../fakes/files";
import { actionOf, afterDenial, type DenialCase, type DeniedCall, inAuto, passes } from "./denied";

const cases = [...pairs, ...later] as DenialCase[];
const shown = ({ denied, then }: DenialCase) => `${JSON.stringify(denied)} → ${JSON.stringify(then)}`;

describe("what was refused", () => {
  for (const pass of Object.keys(passes))
    it(`asks in whatever words it comes back, with ${pass}`, async () => {
      const wrong: string[] = [];
      let named = 0;
      for (const pair of cases.filter(({ expect }) => expect === "asks")) {
        const { verdict, facts } = await afterDenial(pair, pass);
        if (verdict.by === "denied") named += Math.min(verdict.denials.length, 1);
        const isKept = verdict.decision === "ask" || (verdict.decision === "allow" && verdict.by === "sandbox");
        if (!isKept) wrong.push(`${shown(pair)} ${JSON.stringify(facts)}`);
      }
      assert.deepEqual(wrong, []);
      // They are known to do the same: who only runs them where they cannot, or asks without the no, knows less.
      assert.ok(named >= 432, `${named}`);
    });

  it("leaves its neighbours alone", async () => {
    const neighbours = cases.filter(({ expect }) => expect === "runs");
    for (const pass of ["an allow rule", "runEverything"]) {
      const asked: string[] = [];
      for (const pair of neighbours) {
        const { verdict, before } = await afterDenial(pair, pass);
        if (verdict.decision === "ask" && before.decision !== "ask") asked.push(shown(pair));
      }
      assert.ok(asked.length <= 2, asked.join("\n"));
    }
  });

  const disk = new MemoryFiles({
    app: { "data/a.csv": "", "src/a.ts": "", "x.sh": "sh x.sh\nsh y.sh\n".repeat(99), "y.sh": "sh x.sh" },
  });
  const denied = async (...calls: DeniedCall[]) =>
    (await Promise.all(calls.map(call => actionOf(call, disk)))).flatMap((action, at) => {
      const facts = denialFacts(action);
      return facts ? [{ denialId: `d${at}`, title: "it", facts }] : [];
    });

  it("is found among 500, and a command that starts itself, or a thousand, ends", async () => {
    const many = await denied(
      ...Array.from({ length: 500 }, (_, at) => (at % 3 ? `rm -r data${at}/*.csv` : `git push origin b${at}`)),
    );
    const hit = async (command: string) => coveredDenials(await actionOf(command, disk), many).covers;
    assert.deepEqual(await hit("find data7 -delete; git push origin b9"), ["d7", "d9"]);
    for (const long of [
      "env ".repeat(1500),
      "sudo x ".repeat(999),
      "sh x.sh",
      `rm ${"a* ".repeat(500)}`,
      "rm $i; ".repeat(999),
      `python3 -c "${"rm x ".repeat(999)}"`,
    ])
      assert.deepEqual(await hit(long), [], long.slice(0, 20));
  });

  it("holds for a file by a link, and for a read by the same path alone", async () => {
    const [edit, read] = await denied({ Edit: "src/a.ts" }, { Read: "data/a.csv" });
    const write = await actionOf("echo x >> link/a.ts", disk);
    const linked = { ...write, command: { ...write.command!, links: { "/ws/app/link": "/ws/app/src" } } };
    assert.deepEqual(coveredDenials(linked, [edit!, read!]).covers, ["d0"]);
    assert.deepEqual(coveredDenials(write, [edit!, read!]).covers, []);
    assert.deepEqual(coveredDenials(await actionOf("cat data/a.csv", disk), [edit!, read!]).covers, ["d1"]);
    assert.deepEqual(deniedFiles([edit!, read!]), ["/ws/app/src/a.ts"]);
  });

  it("asks whatever was granted before; what is only not known may have a grant where there is no sandbox", async () => {
    const denials = await denied("rm -r data");
    const verdictOf = async (command: string, confined: boolean) => {
      const { confined: sandbox, ...action } = await actionOf(command, disk);
      const what = { type: "command" as const, command };
      const grants = [{ what, where: ["/ws/app"], scope: "session" as const }];
      const verdict = decide(
        { ...action, ...(confined && sandbox && { confined: sandbox }) },
        { ...inAuto, grants, denials },
      );
      return `${verdict.decision} ${verdict.by}`;
    };
    assert.deepEqual(await Promise.all(["rm -rf data", "npm test"].map(command => verdictOf(command, false))), [
      "ask denied",
      "allow grant",
    ]);
    assert.deepEqual(await Promise.all(["rm -rf data", "npm test", "ls"].map(command => verdictOf(command, true))), [
      "ask denied",
      "allow sandbox",
      "allow grant",
    ]);
  });
});
