/** Whatever turns did to files, in whatever order: a rewind gives back what stood there, its undo what stood there after. */
import assert from "node:assert/strict";
import { Random } from "../../../fakes/random";
import { RewoundAgent } from "../../../fakes/rewound";
import { isSoak } from "../../../fakes/soak";

/** The same in every test; another one each time in soak. */
const SEED = isSoak("random") ? Date.now() % 1_000_000 : 16;
const ROUNDS = isSoak("random") ? 40 : 2;
const NAMES = ["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt", "e.bin", "crlf.txt", "mine.txt"];

/** One thing that a turn does, as a command or an edit. */
function deed(random: Random, number: number): string | { path: string; text: string } {
  const [one, other] = [random.pick(NAMES), random.pick(NAMES)];
  const fresh = `new${random.int(0, 3)}/n${random.int(0, 2)}.txt`;
  const target = random.chance(0.3) ? fresh : one;
  const free = `rm -f '${target}'; mkdir -p "$(dirname '${target}')"`;
  switch (
    random.weighted({ write: 3, edit: 3, append: 2, remove: 2, move: 2, copy: 1, mode: 2, link: 1, bytes: 1, git: 1 })
  ) {
    case "write":
      return `${free}; printf 'w${number}\\r\\n' > '${target}'`;
    case "edit":
      return { path: `edited${random.int(0, 2)}.txt`, text: `e${number}\n` };
    case "append":
      return `[ -L '${one}' ] || { mkdir -p "$(dirname '${one}')"; echo a${number} >> '${one}'; }`;
    case "remove":
      return `rm -f '${target}'`;
    case "move":
      return `[ -e '${one}' ] && { ${free}; mv '${one}' '${target}' 2>/dev/null; }; true`;
    case "copy":
      return `[ -f '${one}' ] && cp -p '${one}' 'copy${number}.txt'; true`;
    case "mode":
      return `[ -f '${target}' ] && [ ! -L '${target}' ] && chmod ${random.pick(["755", "644"])} '${target}'; true`;
    case "link":
      return `${free}; ln -s '${other}' '${target}'`;
    case "bytes":
      return `rm -f e.bin; printf 'b\\0${number}\\377' > e.bin`;
    case "git":
      return `[ -d .git ] && git add -A && git commit -qm ${number}; true`;
  }
}

for (const git of [true, false]) {
  describe(`random turns, ${git ? "in a repository" : "outside of one"}`, function () {
    this.timeout(isSoak("random") ? 1_200_000 : 240_000);
    it("are rewound and undone byte for byte", async () => {
      for (let round = 0; round < ROUNDS; round++) await tryOne(SEED + round, git);
    });
  });
}

async function tryOne(seed: number, git: boolean): Promise<void> {
  const random = new Random(seed);
  const agent = await RewoundAgent.start(
    { "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n", "e.bin": "\0\x01", "crlf.txt": "x\r\ny\r\n" },
    { git },
  );
  try {
    agent.write("mine.txt", "mine\n");
    const states = [agent.state()];
    const done: unknown[] = [];
    const turns = random.int(1, 4);
    for (let turn = 1; turn <= turns; turn++) {
      const deeds = Array.from({ length: random.int(1, 4) }, (_, at) => deed(random, turn * 10 + at));
      done.push(deeds);
      await agent.turn(...deeds);
      states.push(agent.state());
    }
    const turn = random.int(1, turns);
    const told = `seed ${seed}, to turn ${turn} of ${JSON.stringify(done)}`;
    const { stayed } = await agent.session.rewind.rewind(turn, "files");
    assert.deepEqual([stayed, agent.state()], [undefined, states[turn - 1]], told);
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), states.at(-1), `the undo of ${told}`);
  } finally {
    await agent.end();
  }
}
