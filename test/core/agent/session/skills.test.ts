/** Skills and prompts in a whole session: loaded, called, over compactions, changed, proven. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { verifySession } from "../../../../src/core/proof/verify";
import { createRedactor } from "../../../../src/core/secrets/redact";
import type { Manifest } from "../../../../src/shared/manifest";
import { last, read, runTurn, start, type WorldOptions } from "../../../fakes/agent";
import { hash } from "../../../fakes/hash";
import { transcript } from "../../../fakes/model";
import { MemorySkills, skillFile, withHead } from "../../../fakes/skills";

const deploy = (body: string) => withHead({ name: "deploy", description: "Brings it out" }, body);

async function withSkills(options: WorldOptions = {}) {
  const skills = new MemorySkills().write("deploy", deploy("Say the magic word: one."));
  const agent = await start(options);
  await agent.session.close();
  const ports = { ...agent.ports, skills };
  const session = await createSession(ports);
  const say = async (text: string, on: Session = session) => {
    await runTurn(on, text);
  };
  const requests = (on = session): Manifest[] =>
    (agent.disk.text(on.id, "requests.jsonl") ?? "")
      .trimEnd()
      .split("\n")
      .map(line => JSON.parse(line));
  return { ...agent, ports, skills, session, say, requests };
}

const load = { name: "Skill", input: { skill: "deploy" } };
const proven = async (session: Session) => {
  const { defects, proven: sound, requests } = await verifySession(session.history.files, hash);
  assert.deepEqual([defects, sound], [[], requests]);
};

describe("skills", () => {
  it("are listed in the first layer and loaded by the tool; the text follows its call, and stays", async () => {
    const { session, models, say, requests } = await withSkills();
    models.play({ calls: [load] }, { text: "Done." }, { text: "Again." });
    await say("Bring it out.");
    await say("And now?");
    const [first, second, third] = models.requests.map(transcript);
    assert.match(JSON.stringify(models.requests[0]?.prompt[0]), /- deploy: Brings it out/);
    assert.doesNotMatch(JSON.stringify(first), /magic word/);
    assert.match(JSON.stringify(second), /Loaded\. Its text follows.*The skill deploy .*magic word: one/s);
    assert.match(JSON.stringify(third), /magic word: one/);
    assert.deepEqual(
      requests()[0]
        ?.segments.map(({ source }) => source)
        .slice(0, 4),
      ["tools", "prompt:system", "facts", "skills"],
    );
    assert.equal(last(session, "inject").source, "skill:deploy");
    await proven(session);
  });

  it("that stand are not loaded twice", async () => {
    const { session, models, say } = await withSkills();
    models.play({ calls: [load] }, { text: "Done." }, { calls: [load] }, { text: "Done." });
    await say("Bring it out.");
    await say("Again.");
    assert.equal(session.history.records.filter(({ kind }) => kind === "inject").length, 1);
    assert.match(last(session, "result").forms.shown, /stands in this conversation already/);
  });

  it("of another name are answered with those that there are", async () => {
    const { session, models, say } = await withSkills();
    models.play({ calls: [{ name: "Skill", input: { skill: "deplyo" } }] }, { text: "Done." });
    await say("Bring it out.");
    assert.match(
      last(session, "result").forms.shown,
      /NOT_FOUND: There is no skill "deplyo"\. These are:\n- deploy: Brings/,
    );
  });

  it("cost no request a word where there are none", async () => {
    const { models, skills, say, requests } = await withSkills();
    skills.skills = [];
    models.play({ text: "Done." });
    await say("Hello.");
    assert.ok(!models.requests[0]?.tools?.some(({ name }) => name === "Skill"));
    assert.ok(!requests()[0]?.segments.some(({ source }) => source === "skills"));
  });

  it("are called by their name: the words stay as typed, the text comes behind them", async () => {
    const { session, models, skills, say } = await withSkills();
    skills.write("deploy", deploy("Bring it to $ARGUMENTS."));
    models.play({ text: "Done." });
    await say("/deploy the moon");
    const messages = session.history.conversation.messages.map(({ parts }) => JSON.stringify(parts));
    assert.match(messages[0] ?? "", /"text":"\/deploy the moon"/);
    assert.match(messages[1] ?? "", /Bring it to the moon\./);
    await proven(session);
  });

  it("move to the second layer with a compaction, as their file is then, and are not loaded again after a restart", async () => {
    const { session, ports, models, skills, say, requests } = await withSkills({
      settings: { "history.keepRounds": 1 },
    });
    const long = "words ".repeat(4_000);
    models.play({ calls: [load] }, { text: long }, { text: long }, { text: "Short." });
    await say("Bring it out.");
    await say("More.");
    await say("And more.");
    models.summaries.push({ text: "## 📌 Archived Session Summary\n### ✅ Completed Milestones\n* [✓] it - out" });
    await session.compaction.compact("");
    assert.deepEqual(session.history.conversation.activeSkills, ["deploy"]);
    models.play({ text: "Done." });
    await say("Go on.");
    const after = requests().at(-1);
    const places = (manifest: Manifest | undefined) =>
      manifest?.segments.filter(({ source }) => source === "skill:deploy").map(({ layer }) => layer);
    assert.deepEqual(places(after), ["L2"]);
    assert.match(JSON.stringify(models.requests.at(-1)?.prompt[0]), /magic word: one/);
    await session.close();
    skills.write("deploy", deploy("Say the magic word: two."));
    const again = await openSession(ports, session.id);
    models.play({ calls: [load] }, { text: "Done." });
    await say("And now?", again);
    assert.match(JSON.stringify(models.requests.at(-1)?.prompt[0]), /magic word: two/);
    assert.match(last(again, "result").forms.shown, /stands in this conversation already/);
    assert.equal(requests().at(-2)?.cause, "skills-changed");
    await proven(again);
  });

  it("stand in the request for a summary of a process that ran no turn, as in those before it", async () => {
    // A folder that only who looks through the workspace knows.
    const envFiles = { read: async (scope: string) => (scope === "workspace" ? ["API_TOKEN=hush7Qx93Lm2Zt81\n"] : []) };
    const { session, ports, models, say, requests } = await withSkills({
      ...{ rules: "Log in with hush7Qx93Lm2Zt81.", secrets: { envFiles } },
      settings: { "history.keepRounds": 1 },
    });
    const long = "words ".repeat(4_000);
    models.play({ text: long }, { text: long }, { text: "Short." });
    for (const words of ["One.", "Two.", "Three."]) await say(words);
    await session.close();
    // A process that has seen no secret yet.
    const redactor = createRedactor(text => hash.sha256(`key ${text}`), { envFiles });
    const again = await openSession({ ...ports, redactor }, session.id);
    models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] it - out" });
    await again.compaction.compact("");
    const [asked] = models.summaryRequests;
    const before = models.requests.at(-1);
    assert.deepEqual(asked?.tools, before?.tools);
    assert.deepEqual(asked?.prompt[0], before?.prompt[0]);
    assert.doesNotMatch(JSON.stringify(asked?.prompt[0]), /hush/);
    const manifest = requests(again).at(-1);
    assert.deepEqual([manifest?.purpose, manifest?.cause], ["summary", "compaction"]);
    await proven(again);
  });

  it("that changed come again with the next turn", async () => {
    const { session, models, skills, say } = await withSkills();
    models.play({ calls: [load] }, { text: "Done." }, { text: "Seen." }, { text: "Quiet." });
    await say("Bring it out.");
    skills.write("deploy", deploy("Say the magic word: two."));
    await say("And now?");
    await say("And now?");
    const injected = session.history.records.flatMap(record => (record.kind === "inject" ? [record.text] : []));
    assert.equal(injected.length, 2);
    assert.match(injected[1] ?? "", /This skill changed; what follows replaces.*magic word: two/s);
    await proven(session);
  });

  it("that come or go between turns are a declared break", async () => {
    const { models, skills, say, requests } = await withSkills();
    models.play({ text: "One." }, { text: "Two." });
    await say("Hello.");
    skills.write("test", withHead({ name: "test", description: "Tries it" }, "Try it."));
    await say("Hello again.");
    assert.deepEqual(
      requests().map(({ cause, unexplained }) => cause ?? unexplained),
      [undefined, "skills-changed"],
    );
  });
});

describe("what lies beside a skill of the person's own", () => {
  const own = "/home/person/.claude/skills/deploy";
  const reading = async (path: string) => {
    const { session, models, skills, files, say } = await withSkills({ answers: "never" });
    skills.skills = [skillFile("deploy", deploy("See notes.md."), { folder: own, trust: "user" })];
    files.put(path, "notes");
    models.play({ calls: [read(path)] }, { text: "Done." });
    await say("Read it.");
    const { error, trust } = last(session, "result");
    return { error: error?.code, trust, untrusted: session.history.conversation.untrusted };
  };

  it("is read unasked, and nothing asks afterwards because of it", async () =>
    assert.deepEqual(await reading(`${own}/notes.md`), { error: undefined, trust: undefined, untrusted: undefined }));

  it("asks where its name says that it may hold secrets, or where it lies elsewhere", async () => {
    assert.equal((await reading(`${own}/.env`)).error, "DENIED");
    assert.equal((await reading(`${own}-other/notes.md`)).error, "DENIED");
  });
});

describe("prompts", () => {
  it("are called by their name, and the files that they mention are to be read", async () => {
    const { session, models, skills, say } = await withSkills();
    skills.prompts = [skillFile("review", "Look at @src/a.ts for $1.", { path: ".github/prompts/review.prompt.md" })];
    models.play({ text: "Done." });
    await say("/review odd things");
    const sent = JSON.stringify(models.requests[0]?.prompt);
    assert.match(
      sent,
      /The user called the prompt \/review \(\.github\/prompts\/review\.prompt\.md\)\..*Look at @src\/a\.ts for odd\./,
    );
    assert.match(sent, /The user mentioned @src\/a\.ts/);
    assert.equal(last(session, "inject").source, "prompt:.github/prompts/review.prompt.md");
    await proven(session);
  });
});
