/** A message that names what only the archive has brings its lines into the tail of its turn. */
import assert from "node:assert/strict";
import { type Agent, conversation, say, words } from "../../fakes/longConversation";
import { transcript } from "../../fakes/model";

const tail = ({ models }: Agent): string => transcript(models.requests.at(-1)!).at(-1) ?? "";

/** The first turn read a file and said something, and is summarised. */
async function compacted(): Promise<Agent> {
  const agent = await conversation(0, 0, { files: { "src/rates.csv": "EUR,1.07\nKESTREL-77,0.42\n" } });
  await say(
    agent,
    "What is in src/rates.csv?",
    { calls: [{ name: "Read", input: { file_path: "src/rates.csv" } }] },
    { text: words(2_600, "The wobble factor is 3.17 in parser9.") },
  );
  for (let at = 2; at <= 4; at++) await say(agent, `Question ${at}.`, { text: words(2_600, "Answer.") });
  agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] something was done in these rounds" });
  await agent.session.compaction.compact();
  assert.equal(agent.session.history.records.at(-1)?.kind, "compaction");
  return agent;
}

describe("what a message names and only the archive has", () => {
  for (const [what, message, line] of [
    ["a value of an output", "What was the rate of KESTREL-77?", /obs:[0-9a-f]{12} line 2 .*KESTREL-77,0\.42/],
    [
      "a name in the model's words",
      "Is parser9 done?",
      /turn 1 · .* assistant: The wobble factor is 3\.17 in parser9\./,
    ],
    ["a quoted word", "Do you remember “3.17”?", /wobble factor is 3\.17/],
  ] as const)
    it(`comes with its place: ${what}`, async () => {
      const agent = await compacted();
      await say(agent, message, { calls: [{ name: "Read", input: { file_path: "src/rates.csv" } }] }, { text: "Yes." });
      const [first, second] = agent.models.requests.slice(-2).map(request => transcript(request).at(-1) ?? "");
      assert.match(first ?? "", /no longer in view/);
      assert.match(first ?? "", line);
      assert.equal(second, first, "in each step of the turn");
      const manifests = (await agent.session.history.files.read("requests.jsonl")) ?? "";
      assert.match(manifests, /"source":"tail:earlier"[^}]*"trust":"tool"/, "somebody else's text is none of Strata's");
      await say(agent, "Thanks.", { text: "Welcome." });
      assert.doesNotMatch(tail(agent), /no longer in view/);
    });

  for (const [what, message] of [
    ["stands in view", "Was Question 4 about src/rates.csv?"],
    ["was never said", "What of Gargantua99?"],
    ["is no name", "go on with it"],
  ] as const)
    it(`does not come where it ${what}`, async () => {
      const agent = await compacted();
      await say(agent, message, { text: "Yes." });
      assert.doesNotMatch(tail(agent), /no longer in view/);
    });

  it("is not looked for while nothing was summarised", async () => {
    const agent = await conversation(2, 100);
    await say(agent, "What of KESTREL-77?", { text: "Nothing." });
    assert.doesNotMatch(tail(agent), /no longer in view/);
  });
});
