/** A repository's skills in a whole session: called by model and person, before a compaction, after it, and in the next process. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/agent/session/openSession";
import { repositorySkills } from "../fixtures/skills/repository";
import { endWorlds, newest, records, rounds, say, type World, world } from "./world";

const skill = (name: string) => ({ calls: [{ name: "Skill", input: { skill: name } }] });
const lastRequest = ({ script }: World) => JSON.stringify(script.asked.at(-1)?.body ?? "");
const times = (text: string, words: string) => text.split(words).length - 1;

describe("over HTTP: a repository's skills", () => {
  afterEach(endWorlds);

  it("are there once before and after a compaction and a reload, with their files and scripts", async () => {
    const at = await world({ files: repositorySkills, skills: true, settings: { "history.keepRounds": 1 } });
    const path = ".claude/skills/release-notes";
    await say(
      at,
      "Write the release notes.",
      skill("release-notes"),
      {
        calls: [
          { name: "Read", input: { file_path: `${path}/references/style.md` } },
          { name: "Bash", input: { command: `sh ${path}/scripts/collect.sh` } },
        ],
      },
      { text: "Written." },
    );
    assert.match(JSON.stringify(at.script.asked[0]?.body), /release-notes: Writes release notes/);
    assert.doesNotMatch(JSON.stringify(at.script.asked[0]?.body), /RELEASE-NOTES-RULE|review-checklist:/);
    const results = records(at, "result").map(({ toolName, status, forms }) => [toolName, status, forms.shown]);
    assert.deepEqual(
      results.map(([name, status]) => [name, status]),
      [
        ["Skill", "success"],
        ["Read", "success"],
        ["Bash", "success"],
      ],
    );
    assert.match(results[1]?.[2] ?? "", /STYLE-GUIDE/);
    assert.match(results[2]?.[2] ?? "", /COLLECTED: 3 changes/);
    await say(at, "/database-migrations orders", { text: "Both ways." });
    assert.match(lastRequest(at), /For orders write both/);
    assert.equal(times(lastRequest(at), "RELEASE-NOTES-RULE"), 1);

    await rounds(at, 3, 5, 3000);
    await at.session.compaction.compact();
    assert.ok(newest(at, "compaction").rounds.summarised >= 2);
    await say(at, "Go on.", { text: "Yes." });
    const after = lastRequest(at);
    for (const rule of ["RELEASE-NOTES-RULE", "MIGRATION-RULE"]) assert.equal(times(after, rule), 1, rule);
    assert.match(after, new RegExp(`Files that it names lie in [^"]*${path}`));
    assert.equal(records(at, "result").filter(({ toolName }) => toolName === "Skill").length, 1, "nothing ran again");

    await at.session.close();
    const again = await openSession(at.ports, at.session.id);
    at.script.play(skill("release-notes"), { text: "It stood there." });
    at.write(`${path}/SKILL.md`, `${repositorySkills[`${path}/SKILL.md`]}\nNEW-RULE: sign it.\n`);
    await again.submit("Once more.");
    await again.idle();
    const reloaded = lastRequest(at);
    for (const rule of ["RELEASE-NOTES-RULE", "MIGRATION-RULE", "NEW-RULE"])
      assert.equal(times(reloaded, rule), 1, rule);
    assert.match(reloaded, /release-notes stands/);
    await again.close();
  });

  it("one for people alone is called by name; a broken one is named with what is wrong", async () => {
    const at = await world({ files: repositorySkills, skills: true });
    await say(at, "Look.", skill("review-checklist"), { text: "I may not." });
    assert.match(newest(at, "result").error?.message ?? "", /is for the user alone/);
    await say(at, "/review-checklist", { text: "Looked." });
    assert.match(lastRequest(at), /CHECKLIST-RULE/);
    const { skills, broken } = await at.session.skills.read();
    const odd = skills.flatMap(({ path, warnings }) => warnings.map(warning => `${path}: ${warning}`));
    const wrong = [...broken.map(({ path, problem }) => `${path}: ${problem}`), ...odd];
    assert.ok(
      wrong.some(line => line.startsWith(".claude/skills/broken/SKILL.md: ")),
      wrong.join("\n"),
    );
  });
});
