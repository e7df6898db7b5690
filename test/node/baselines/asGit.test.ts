/** Random commands in random repositories: what a baseline tells of them is what Git says of the same moments. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { BaselineWorkspace } from "../../fakes/baselineWorkspace";
import { Random } from "../../fakes/random";
import { cases } from "../../fakes/soak";

const FOLDERS = ["", "src/", "src/deep/", "build/", "build/out/", "docs/", "node_modules/x/"];
const NAMES = 'a.txt|b.txt|c.log|keep.log|Ünï.txt|with space.md|-x|[y].txt|#z|q"d|new\nline'.split("|");
const PACKAGES = /(?:^|\/)node_modules\//;
const PATTERNS = "*.log|build/|/docs|!keep.log|src/**/b.txt|\\#z|deep|**/out|!/docs/a.txt|a.*".split("|");

/** A line each. `$1`, `$2`: two paths, `$3`: a text, `$4`: lines of an ignore file. */
const ACTS = `
mkdir -p "$(dirname "$1")"; rm -rf "$1"; echo "$3" > "$1"
mkdir -p "$(dirname "$1")"; rm -rf "$1"; : > "$1"
[ -f "$1" ] && sed -i "1s/^./9/" "$1"
[ -f "$1" ] && printf 8 | dd of="$1" conv=notrunc
rm -rf "$1"
rm -rf "$(dirname "$1")"
[ -f "$1" ] && mkdir -p "$(dirname "$2")" && mv "$1" "$2"
[ -d src ] && mv src/ moved || mv moved src
[ -f "$1" ] && echo "$3" > replacing && mv replacing "$1"
[ -f "$1" ] && chmod 755 "$1"
[ -f "$1" ] && chmod 400 "$1"
[ -f "$1" ] && touch -d @1000000000 "$1"
mkdir -p "$(dirname "$1")"; rm -rf "$1"; ln -s "$2" "$1"
rm -rf docs; mkdir -p src; ln -s src docs
printf %s "$4" > .gitignore
mkdir -p src && printf %s "$4" > src/.gitignore
printf %s "$4" > .git/info/exclude
git add -A
git add -f -- "$1"
git rm -q --cached -- "$1"
git commit -qm more
git checkout -qf -B one HEAD
git checkout -qf HEAD~1
git stash -qu
git status
git clean -fdq`
  .trim()
  .split("\n");

class RandomCommands {
  readonly done: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly workspace: BaselineWorkspace,
  ) {}

  run(most: number): void {
    for (let left = this.random.int(1, most); left > 0; left--) {
      const act = this.random.pick(ACTS);
      const path = () => this.random.pick(FOLDERS) + this.random.pick(NAMES);
      const rules = Array.from({ length: this.random.int(0, 3) }, () => `${this.random.pick(PATTERNS)}\n`).join("");
      const text = this.random.chance(0.2) ? "same" : `${this.done.length} ${"x".repeat(this.random.int(0, 3))}`;
      const words = [path(), path(), text, rules];
      this.done.push(`${act}: ${JSON.stringify(words)}`);
      execFileSync("bash", ["-c", `cd -- "$0" && { ${act}; } > /dev/null 2>&1 || :`, this.workspace.folder, ...words]);
    }
  }

  listed(...args: string[]): string[] {
    const listed = execFileSync("git", ["ls-files", "-z", ...args], { cwd: this.workspace.folder, encoding: "utf8" });
    return listed.split("\0").filter(path => path !== "" && !path.endsWith("/"));
  }

  /** What Git counts. */
  counted(): string[] {
    const others = this.listed("-o", "--exclude-standard").filter(path => !PACKAGES.test(path));
    return [...new Set([...this.listed("-c"), ...others])];
  }

  state(path: string): string {
    const at = (below: string) => join(this.workspace.folder, below);
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
      if (existsSync(at(folder)) && !lstatSync(at(folder)).isDirectory()) return "nothing";
    const stats = lstatSync(at(path), { throwIfNoEntry: false });
    if (!stats || stats.isDirectory()) return "nothing";
    if (stats.isSymbolicLink()) return `-> ${readlinkSync(at(path))}`;
    return `${(stats.mode & 0o777).toString(8)} ${createHash("sha256")
      .update(readFileSync(at(path)))
      .digest("hex")}`;
  }
}

describe("what a baseline tells, beside Git", function () {
  this.timeout(120_000);

  for (let seed = 1; seed <= cases(120); seed++)
    it(`is the same in run ${seed}`, async () => {
      const random = new Random(seed);
      const workspace = new BaselineWorkspace();
      const commands = new RandomCommands(random, workspace);
      try {
        commands.run(12);
        workspace.git();
        for (let command = 0; command < 4; command++) {
          if (random.chance(0.5)) {
            workspace.baseline.prepare();
            commands.run(3);
          }
          const lookAgain = await workspace.baseline.before();
          const before = new Map(commands.counted().map(path => [path, commands.state(path)]));
          const there = new Set([...commands.listed("-c"), ...commands.listed("-o")]);
          commands.done.push("--- a command");
          commands.run(6);
          const after = commands.counted();
          const { changes } = await lookAgain();
          const told = new Map(changes.map(one => [one.path.slice(workspace.folder.length + 1), one]));
          const say = (state: (typeof changes)[number]["before"]): string => {
            if (state === null) return "nothing";
            if (state.type === "link") return `-> ${state.target}`;
            if (state.type === "unkept") return `unkept: ${state.why}`;
            return `${state.mode?.toString(8)} ${state.sha256}`;
          };
          const how = `seed ${seed}, command ${command}\n${commands.done.join("\n")}`;
          for (const [path, was] of before) {
            const is = commands.state(path);
            assert.equal(told.has(path), was !== is, `${path}: ${was} → ${is}\n${how}`);
            const change = told.get(path);
            if (!change) continue;
            assert.deepEqual([say(change.before), say(change.after)], [was, is], how);
            if (change.before?.type === "file") assert.ok(workspace.kept.has(change.before.sha256), `${path}\n${how}`);
          }
          // Of packages, what Git had before the command counts.
          const fresh = after.filter(path => !there.has(path) && !PACKAGES.test(path));
          for (const path of fresh.filter(path => commands.state(path) !== "nothing"))
            assert.ok(told.has(path), `${path} is new\n${how}`);
          const all = new Set([...before.keys(), ...after]);
          const others = [...told.keys()].filter(path => !all.has(path));
          assert.deepEqual(others, [], how);
        }
      } finally {
        await workspace.end();
      }
    });
});
