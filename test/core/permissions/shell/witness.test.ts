import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Random } from "../../../fakes/random";
import { cases } from "../../../fakes/soak";
import { temporaryFolder } from "../../../fakes/temporary";
import { corpus, decided } from "../corpus";
import { wrapped, written } from "./generated";
import { openWitness, type Witness } from "./witness";

/** Everything is allowed that can be: what is missed then would run. */
const open = { rules: { allow: ["Bash(*)"] } };

/** The other grammar goes on where a text is broken, and finds programs that no shell starts: then a real one is asked. */
function startsInBash(command: string, name: string): boolean {
  const folder = temporaryFolder("witness");
  try {
    const stub = join(folder, basename(name));
    writeFileSync(stub, `#!/bin/sh\n: > '${folder}/started'\n`, { mode: 0o755 });
    const options = { cwd: folder, env: { PATH: folder }, input: "", timeout: 10_000 };
    spawnSync("/bin/bash", ["-c", command.replaceAll(name, name.includes("/") ? stub : name)], options);
    return existsSync(join(folder, "started"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("two grammars of the shell", () => {
  let witness: (command: string) => Witness;
  before(async () => {
    witness = await openWitness();
  });

  /** Programs that only the other grammar sees, in a command that would run. */
  async function missed(command: string): Promise<string[]> {
    const { decision, parts } = await decided(command, open);
    if (decision !== "allow") return [];
    const found = new Set(parts.map(({ text }) => text.split(" ", 1)[0]));
    const others = witness(command).programs.filter(name => !found.has(name));
    return others.length > 0 ? others.filter(name => startsInBash(command, name)) : [];
  }

  it("find the same programs in the corpus, or it asks", async () => {
    const wrong: string[] = [];
    for (const { command } of corpus()) {
      const names = await missed(command);
      if (names.length > 0) wrong.push(`${names.join(", ")} in ${JSON.stringify(command)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("find the same programs in generated commands, or it asks", async () => {
    const random = new Random(71);
    const wrong: string[] = [];
    for (let at = 0; at < cases(8000); at++) {
      const simple = random.pick(["npm test", "ls -la src", "rm -rf x", "git status", "cat a", "echo it is"]);
      const whole = wrapped(random, random.chance(0.5) ? written(random, simple.split(" ")).trim() : simple);
      // Cut or with a letter put in, it may still be a command.
      const cut = random.int(0, whole.length);
      const odd = random.pick([
        "",
        "'",
        '"',
        "\\",
        ")",
        "(",
        ";",
        "\n",
        "#",
        "$(",
        "`",
        "}",
        "<<E\n",
        "&",
        "|",
        "$'",
        "${",
      ]);
      const command = random.chance(0.5) ? whole : whole.slice(0, cut) + odd + whole.slice(cut + random.int(0, 1));
      const names = await missed(command);
      if (names.length > 0) wrong.push(`${names.join(", ")} in ${JSON.stringify(command)}`);
    }
    assert.deepEqual(wrong, []);
  });
});
