/** Two sessions of one storage write the same files: who would take the other's unreviewed lines is asked, and told whose they are. */
import assert from "node:assert/strict";
import { edit, read } from "../../../fakes/agent";
import { cases } from "../../../fakes/soak";
import { bash, type Call, LINES, randomWork, TwoSessions, text, write } from "../../../fakes/twoSessions";

const whole = (...lines: string[]) => write(text(...lines));
const kept = LINES.with(1, "TWO");
const [named, nothing] = [/of session “Fix login” \(“Fix login”, .*; this is session “Make it faster”/, /^$/];
const [told, beside] = [/"Fix login", changed these lines/, /"Fix login", also has changes in src/];

/** What the second session does; what is asked; what its model is told: of the first one, unless it is something else. */
const calls: [name: string, calls: Call[], asked: RegExp, result?: RegExp][] = [
  ["an Edit of its lines", [read("src/a.ts"), edit("src/a.ts", "TWO", "2")], named, told],
  ["an Edit of its lines and others", [read("src/a.ts"), edit("src/a.ts", "one\nTWO", "12")], named, told],
  ["an Edit beside it", [read("src/a.ts"), edit("src/a.ts", "three", "3")], nothing],
  ["an Edit of what it had replaced", [edit("src/a.ts", "two", "2")], nothing],
  ["a Write without its lines", [read("src/a.ts"), whole("one")], named, told],
  ["a Write of what was there before it", [read("src/a.ts"), whole(...LINES)], named, told],
  ["a Write that leaves them", [read("src/a.ts"), whole(...kept, "nine")], nothing, beside],
  // Reports of other agents: a checkout, a stash, a reset of one session took the work of another.
  ...[
    "git checkout -- src/a.ts",
    "git checkout HEAD -- .",
    "git stash",
    "git reset --hard",
    "git restore .",
    "rm -r src",
  ]
    .concat(
      "sed -i s/TWO/2/ src/a.ts",
      "mv src/a.ts src/b.ts",
      "cp x src/a.ts",
      "cd src && git checkout a.ts",
      "git rm -f src/*",
    )
    .concat(
      "echo x > src/a.ts",
      "find src -delete",
      "git stash push -u",
      "timeout 9 git checkout -f main",
      "git clean -fdx",
    )
    .map((command): [string, Call[], RegExp, RegExp] => [command, [bash(command)], named, told]),
  ...[
    "git status",
    "git stash list",
    "git checkout -b new",
    "cat src/a.ts",
    "cp src/a.ts /tmp/x",
    "npm test",
    "rm src/b.ts",
  ]
    .concat(
      "git restore --staged .",
      "mkdir -p src",
      "git add -A",
      "git commit -m 'rm src/a.ts'",
      "mv x src",
      "git switch main",
    )
    .map((command): [string, Call[], RegExp] => [command, [bash(command)], nothing]),
];

describe("another session's unreviewed edit", () => {
  for (const [name, does, asked, result = /^(?!.*Fix login)/s] of calls)
    it(`${asked === nothing ? "lets pass" : "has to be asked about for"} ${name}`, async () => {
      const both = await TwoSessions.begin();
      const found = await both.turn(await both.join(), "Make it faster", does);
      assert.match(found.asked.join("\n"), asked);
      assert.match(found.told, result);
    });

  it("stays where the person says no, or nobody is there: the refusal names the other", async () => {
    const both = await TwoSessions.begin();
    const second = [await both.join(), await both.join({ attended: false })];
    for (const session of second) {
      const found = await both.turn(
        session,
        "Make it faster",
        [read("src/a.ts"), edit("src/a.ts", "TWO", "2")],
        "deny",
      );
      assert.match(found.told, /^DENIED.*"Fix login", changed these lines/s);
      assert.equal(both.now, text(...kept));
    }
  });

  it("is named by a conflict, and after a command whose text did not tell what it changes", async () => {
    const both = await TwoSessions.begin();
    const second = await both.join();
    await both.turn(second, "Look", [read("src/a.ts")]);
    await both.turn(both.sessions[0]!, "Once more", [edit("src/a.ts", "TWO", "2 2")]);
    const found = await both.turn(second, "Make it faster", [edit("src/a.ts", "TWO", "2")]);
    assert.match(found.told, /^CONFLICT.*"Fix login", also|^CONFLICT.*"Fix login", changed/s);
    both.agent.shell.add("make", { does: () => both.agent.files.put("src/a.ts", text(...LINES)) });
    assert.match((await both.turn(second, "Build", [read("src/a.ts"), bash("make")])).told, told);
  });

  const elsewhere: [name: string, change: (both: TwoSessions) => unknown, asked: RegExp][] = [
    ["a crash left", async ({ agent }) => agent.disk.crash(), named],
    ["was reviewed", async ({ sessions: [first] }) => first!.review.keep((await first!.review.list())[0]!), nothing],
    [
      "was closed before this turn",
      ({ sessions: [first], agent }) => [first!.close(), agent.clock.advance(5)],
      nothing,
    ],
    [
      "was deleted",
      async ({ sessions: [first], agent }) => first!.close().then(() => agent.ports.storage.trash(first!.id)),
      nothing,
    ],
    ["is a week old", ({ agent }) => agent.clock.advance(8 * 86_400_000), nothing],
    [
      "has a log that makes no sense",
      ({ sessions: [first], agent }) => agent.disk.put(first!.id, "history.jsonl", "{"),
      nothing,
    ],
    [
      "has a log that ends in the middle",
      ({ sessions: [first], agent: { disk } }) =>
        disk.put(first!.id, "history.jsonl", `${disk.text(first!.id, "history.jsonl")}{"kind":"resu`),
      named,
    ],
  ];
  for (const [name, change, asked] of elsewhere)
    it(`${asked === nothing ? "does not count" : "counts"} where it ${name}`, async () => {
      const both = await TwoSessions.begin();
      await change(both);
      const does = [read("src/a.ts"), edit("src/a.ts", "TWO", "2")];
      assert.match((await both.turn(await both.join(), "Make it faster", does)).asked.join(), asked);
    });

  it("costs one look where a thousand sessions have edits of other files, and none where nothing is written", async () => {
    const both = await TwoSessions.begin();
    const { storage } = both.agent.ports;
    for (let at = 0; at < 1000; at += 1) await storage.unreviewed.put(`${`${at}`.padStart(16, "0")}.s${at}`, "");
    const second = await both.join();
    let looks = 0;
    const { list } = storage.unreviewed;
    storage.unreviewed.list = () => list().finally(() => looks++);
    storage.open = () => assert.fail("a session was opened");
    await both.turn(second, "New", [
      read("src/a.ts"),
      bash("ls"),
      { name: "Write", input: { file_path: "b.ts", content: "b\n" } },
    ]);
    assert.equal(looks, 1);
    await both.turn(second, "Look", [read("src/a.ts")]);
    assert.equal(looks, 1);
  });

  it("is named before a rewind, and stays in it", async () => {
    const both = await TwoSessions.begin();
    const second = await both.join();
    await both.turn(second, "Make it faster", [read("src/a.ts"), edit("src/a.ts", "five", "5")]);
    await both.turn(both.sessions[0]!, "More", [read("src/a.ts"), edit("src/a.ts", "eight", "8")]);
    assert.match(
      (await second.rewind.preview(1)).gaps.join(),
      /src\/a\.ts also has changes of session “Fix login” \(“More”/,
    );
    await second.rewind.rewind(1, "files");
    assert.equal(both.now, text(...kept.with(7, "8")));
  });

  it("is never taken away unasked, and always named: random work of two sessions", async () => {
    const { lost, unnamed, met } = await randomWork(42, cases(500));
    assert.deepEqual({ lost, unnamed, hasMet: met > 10 }, { lost: 0, unnamed: 0, hasMet: true });
  });
});
