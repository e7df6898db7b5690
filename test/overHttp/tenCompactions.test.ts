/**
 * Ten compactions in a row, over real HTTP and on a real disk: what the user said, what changed and what was found out is
 * still in the request or behind a handle that stands in it (docs/context.md).
 */
import assert from "node:assert/strict";
import {
  endWorlds,
  newest,
  proven,
  reachable,
  records,
  reopened,
  rounds,
  say,
  sent,
  textOf,
  type World,
  words,
  world,
} from "./world";

const COMPACTIONS = 10;
/** So small that ten summaries do not fit into their share of it. */
const settings = { "model.contextWindow": 16_000, "history.keepRounds": 1, "context.memory": "plain" as const };

const rule = (n: number) => `Never use library number ${n} here.`;
const rulesText = (version: string) => `House rule, version ${version}.`;

/** A turn with a rule of the user and a new file, one with many words, and a compaction; the rules files change in between. */
async function cycle(at: World, n: number): Promise<void> {
  at.write("AGENTS.md", rulesText(`root ${n}`));
  at.write("pkg/AGENTS.md", rulesText(`nested ${n}`));
  const write = { name: "Write", input: { file_path: `src/file${n}.ts`, content: `export const n = ${n};\n` } };
  await say(at, words(4000, `Do task ${n}. ${rule(n)}`), { calls: [write] }, { text: `Task ${n} is done.` });
  await rounds(at, 2 * n + 1, 2 * n + 1, 500);
  if (n === 5) await at.session.compaction.compact("mind the names");
  else await at.session.compaction.compact();
}

/** What the summary of compaction n must not lose. */
const slots = (n: number): RegExp[] => [
  /(?:\*\*Original Goal\*\*: |turn 1: “)Find the launch code\./,
  ...(n === 0
    ? []
    : [new RegExp(`turn \\d+: “Do task ${n}\\. ${rule(n)}`), new RegExp(`\`src/file${n}\\.ts\`: created, \\+1 −0`)]),
  /\*\*Environment\*\*: linux, bash; folder /,
];

const system = ({ script }: World) =>
  textOf({ ...script.asked.at(-1), messages: script.asked.at(-1)?.messages.slice(0, 1) } as never);

describe("over HTTP: ten compactions in a row", function () {
  this.timeout(180_000);
  afterEach(endWorlds);

  it("lose no slot, no rule and no fact", async () => {
    const files = {
      "launch.txt": "The launch code is ZEBRA-7421.\n",
      "pkg/a.ts": "one\n",
      "pkg/AGENTS.md": rulesText("nested 0"),
    };
    let at = await world({ settings, files });
    const read = (file_path: string) => ({ calls: [{ name: "Read", input: { file_path } }] });
    await say(at, "Find the launch code.", read("launch.txt"), read("pkg/a.ts"), { text: "I have read it." });
    for (let n = 1; n <= COMPACTIONS; n++) {
      await cycle(at, n);
      assert.equal(records(at, "compaction").length, n);
      assert.equal(newest(at, "compaction").failure, undefined);
      await say(at, `How far are we after ${n}?`, { text: "Far." });
      assert.match(system(at), new RegExp(`Rules from AGENTS\\.md:\\s+House rule, version root ${n}\\.`));
      assert.match(system(at), new RegExp(`Rules from pkg/AGENTS\\.md:\\s+House rule, version nested ${n}\\.`));
      assert.equal(sent(at).match(/House rule/g)?.length, 2, "each of the rules once, as it stands now");
      if (n === 6) at = await reopened(at);
    }
    assert.match(sent(at), /Archived Session Summaries \(handles\)/);
    const all = await reachable(at, sent(at));
    for (let n = 0; n <= COMPACTIONS; n++) for (const slot of slots(n)) assert.match(all, slot, `compaction ${n}`);
    assert.doesNotMatch(sent(at), /ZEBRA/);

    at.script.play({ calls: [{ name: "Recall", input: { query: "launch code" } }] }, { text: "Found it." });
    await say(at, "What was the launch code?");
    assert.match(sent(at), /turn 1\b[\s\S]*ZEBRA-7421/);

    const { requests, breaks } = await proven(at);
    assert.ok(requests > 40);
    assert.ok((breaks.compaction ?? 0) >= COMPACTIONS);
  });
});
