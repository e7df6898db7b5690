/** The request log of a long session: each request writes what is new, whatever came before. */

import assert from "node:assert/strict";
import type { AssembledRequest } from "../../../src/core/context/assemble";
import { RequestLog, spliceSegments } from "../../../src/core/context/requestLog";
import type { Manifest, Segment } from "../../../src/shared/manifest";
import { hash } from "../../fakes/hash";
import { pluck } from "../../fakes/pluck";
import { MemoryStorage } from "../../fakes/storage";

const REQUESTS = 800;

/** A session in which each request has two segments more than the one before. */
async function longLog() {
  const files = await new MemoryStorage().create("ses_1");
  const options = { repaired: false, onRepair: async () => undefined };
  const segments: AssembledRequest["segments"] = [];
  const add = (source: string) => {
    const more = { layer: "turn", role: "user", tokens: 100, form: "shown", trust: "user" } as const;
    segments.push({ ...more, source, sha256: hash.sha256(source), value: source, content: source });
  };
  let log = new RequestLog(files, hash, options);
  for (let number = 1; number <= REQUESTS; number++) {
    add(`message:m${number}`);
    add(`result:c${number}`);
    // A new process reads what it needs of the log.
    if (number % 111 === 0) log = new RequestLog(files, hash, options);
    const stable = { rules: 0, history: 0, conversation: 0 };
    const content = { instructions: "", tools: [], messages: [], callOptions: {}, stable };
    const request = { ...content, segments: [...segments], sha256: String(number), tokens: segments.length * 100 };
    const place = { requestId: `q${number}`, runId: "run", turn: 1, step: number, attempt: 1, ts: 1 };
    await log.write(request, { ...place, model: "m", bodySha256: null });
  }
  const lines = ((await files.read("requests.jsonl")) ?? "").trimEnd().split("\n");
  return { lines, manifests: lines.map((line): Manifest => JSON.parse(line)) };
}

describe("the request log of a long session", () => {
  it("takes the same bytes for a request late as early, and every list can be put together", async () => {
    const { lines, manifests } = await longLog();
    const mean = (from: number, to: number) =>
      lines.slice(from, to).reduce((sum, line) => sum + line.length, 0) / (to - from);
    assert.ok(mean(400, 800) < 1.25 * mean(0, 400), `${mean(0, 400)} bytes, then ${mean(400, 800)}`);
    let list: Segment[] = [];
    for (const [at, manifest] of manifests.entries()) {
      list = spliceSegments(list, manifest);
      assert.equal(list.length, 2 * (at + 1));
      assert.equal(list.at(-1)?.source, `result:c${at + 1}`);
    }
    const wholes = manifests.flatMap(({ keep }, at) => (keep === 0 ? [at] : []));
    assert.ok(wholes.length > 3, "a reader need not begin with the first");
    assert.ok(wholes.every((at, index) => at - (wholes[index - 1] ?? -50) >= 50));
  });

  it("writes what was folded in its place, and nothing of what follows it", async () => {
    const files = await new MemoryStorage().create("ses_1");
    const log = new RequestLog(files, hash, { repaired: false, onRepair: async () => undefined });
    const write = (forms: readonly Segment["form"][]) => {
      const segments = forms.map((form, at): AssembledRequest["segments"][number] => ({
        ...{ layer: "turn", role: "tool", source: `result:c${at}`, tokens: 100, form, trust: "tool" },
        ...{ sha256: hash.sha256(`${at} ${form}`), value: form, content: form },
      }));
      const request = {
        instructions: "",
        tools: [],
        messages: [],
        callOptions: {},
        segments,
        sha256: "r",
        tokens: 1,
      };
      const place = { requestId: "q", runId: "run", turn: 1, step: 1, attempt: 1, ts: 1, model: "m", bodySha256: null };
      return log.write(request, { ...place, cause: "fold" });
    };
    const before = await write(Array(9).fill("shown"));
    const forms = ["shown", "folded", "shown", "folded", ...Array(6).fill("shown")] as const;
    const after = await write(forms);
    assert.deepEqual([after.keep, after.changed?.map(({ at }) => at), after.segments.length], [9, [1, 3], 1]);
    const list = spliceSegments(spliceSegments([], before), after);
    assert.deepEqual(pluck(list, "form"), forms);
    const shorter = await write(forms.slice(0, 4));
    assert.deepEqual([shorter.keep, shorter.changed, shorter.segments], [4, undefined, []]);
  });
});
