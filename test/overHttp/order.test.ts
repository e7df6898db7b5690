/** The order of what a request is made of, in the body that a server gets: rules, skill, plan, summaries, ledger, history, todos. */
import assert from "node:assert/strict";
import { repositorySkills } from "../fixtures/skills/repository";
import { endWorlds, proven, rounds, say, sent, world } from "./world";

const PLAN = "# Plan: Mend the sum\n\n- [ ] Mend the sum\n- [ ] Say what changed\n";

describe("over HTTP: the order of a request", () => {
  afterEach(endWorlds);

  it("is rules, skill, plan, summaries, ledger, history, the words of now, todos", async () => {
    const at = await world({
      files: { ...repositorySkills, "AGENTS.md": "RULE-OF-THE-HOUSE" },
      skills: true,
      settings: { "model.contextWindow": 40_000, "history.keepRounds": 1, "context.memory": "plain" as const },
    });
    await say(
      at,
      "The port is 8443.",
      { calls: [{ name: "Skill", input: { skill: "release-notes" } }] },
      { text: "Noted." },
    );
    await at.session.setMode("plan");
    await say(at, "Plan it.", { text: PLAN });
    at.script.play({ text: "Begun." });
    await at.session.plans.carryOut(PLAN, "auto");
    await at.session.idle();
    for (const first of [4, 7]) {
      await rounds(at, first, first + 2, 4_000);
      await at.session.compaction.compact();
    }
    await say(at, "WORDS-OF-NOW", { text: "Yes." });
    const body = sent(at);
    const marks = [
      "RULE-OF-THE-HOUSE",
      "RELEASE-NOTES-RULE",
      "The plan that the user approved",
      "📌 Archived Session Summary",
      "<earlier-words>",
      "💬 The User's Words",
      "turn 1: “The port is 8443.”",
      "Question 9",
      "WORDS-OF-NOW",
      "The todo list now",
    ];
    const places = marks.map(mark => body.indexOf(mark));
    assert.ok(!places.includes(-1), marks[places.indexOf(-1)]);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      places.join(" "),
    );
    await proven(at);
  });
});
