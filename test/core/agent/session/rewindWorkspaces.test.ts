/** Workspaces of any kind, a command of any kind, and a rewind: bytes, links and permissions are those of a copy made before. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../../fakes/random";
import { RewoundAgent, stateOf } from "../../../fakes/rewound";
import { isSoak } from "../../../fakes/soak";

/** The same in every test; another one each time in soak. */
const SEED = isSoak("random") ? Date.now() % 1_000_000 : 1;
const ROUNDS = isSoak("random") ? 100 : 3;

const FILES = ["a.txt", "b.txt", "src/c.txt", "src/deep/d.txt", "docs/e f.md", "data.bin", "big.lfs", "ü.txt", "empty"];
const COMMIT = "git -c user.email=a@b -c user.name=n commit -q --allow-empty";

/** What a workspace may have, as a person makes it before the turn; in the order in which it is made. */
const TRAITS: Readonly<Record<string, (random: Random) => string>> = {
  crlf: () => "echo '*.txt text eol=crlf' >> .gitattributes; sed -i 's/$/\\r/' *.txt",
  lfs: () => "echo '*.lfs filter=lfs diff=lfs merge=lfs -text' >> .gitattributes",
  ident: () => "echo '*.md ident' >> .gitattributes; echo '$Id$' > docs/id.md",
  programs: () => "chmod 755 b.txt src/c.txt",
  links: () => "ln -s a.txt link; ln -s ../src src/loop; ln -s nowhere dangling",
  odd: () => "echo odd > $'new\\nline.txt'; echo odd > ' blank'; echo odd > '-dash'; echo odd > 'quo\"te'",
  equal: () => "mkdir -p eq1 eq2; : > eq1/__init__.py; : > eq2/__init__.py; cp a.txt eq1; cp a.txt eq2",
  ignored: () => "printf 'ignored/\\n*.log\\n' > .gitignore; mkdir -p ignored; echo i > ignored/i; echo l > x.log",
  forced: () => "echo '*.kept' >> .gitignore; echo k > f.kept; [ ! -d .git ] || git add -f f.kept",
  commit: () => `[ ! -d .git ] || { git add -A && ${COMMIT} -m one; }`,
  checkout: () => "[ ! -d .git ] || { git ls-files -z | xargs -0 rm -f; git checkout -q .; }",
  autocrlf: random => `git config core.autocrlf ${random.pick(["true", "input"])}`,
  splitIndex: () => "git update-index --split-index && echo s > a.txt && git add a.txt",
  version4: () => "git update-index --index-version 4",
  untrackedCache: () => "git config core.untrackedCache true && git update-index --untracked-cache",
  branch: () =>
    `git checkout -q -b other && echo o > a.txt && rm -f src/c.txt && echo n > o.txt && git add -A && ${COMMIT} -m o && git checkout -q -`,
  staged: () => "echo staged >> b.txt && git add b.txt && echo more >> b.txt",
  intended: () => "echo n > intended.txt && git add -N intended.txt",
  stashed: () => `echo st >> a.txt; git -c user.email=a@b -c user.name=n stash -q || true`,
  dirty: () => "echo mine >> a.txt; rm -f src/deep/d.txt; echo u > untracked.txt; chmod 600 untracked.txt",
  sparse: () => `git add -A && ${COMMIT} -m sparse; git sparse-checkout set src`,
  nested: () =>
    `mkdir -p in/ner && (cd in/ner && git init -q && echo n > n.txt && git add -A && ${COMMIT} -m n && echo d > dirty.txt)`,
  unborn: () => "mkdir -p unborn && (cd unborn && git init -q && echo n > n.txt)",
  submodule: () =>
    `git init -q ../lib && (cd ../lib && echo l > l.txt && git add -A && ${COMMIT} -m l); git -c protocol.file.allow=always submodule --quiet add ../lib lib && ${COMMIT} -m lib`,
};
const IN_GIT = new Set(
  "checkout autocrlf splitIndex version4 untrackedCache branch staged intended stashed sparse submodule".split(" "),
);

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

/** One thing that a command does. */
function deed(random: Random, paths: readonly string[], number: number): string {
  const [one, other] = [quoted(random.pick(paths)), quoted(random.pick(paths))];
  const folder = `"$(dirname ${one})"`;
  const isFolder = `[ ${folder} != . ]`;
  return random.pick([
    `[ -L ${one} ] || echo more${number} >> ${one}`,
    `[ -L ${one} ] || printf 'w${number}\\r\\n' > ${one}`,
    `rm -f ${one}`,
    `[ -L ${one} ] || sed -i 's/o/0/' ${one}`,
    `mv ${one} moved${number}.txt`,
    `mv -f ${one} ${other}`,
    `cp -p ${one} copy${number}`,
    `cp -p ${one} ${other}`,
    `[ -L ${one} ] || chmod 755 ${one}`,
    `[ -L ${one} ] || [ "$(stat -c %a ${one})" = 600 ] || chmod 644 ${one}`,
    `rm -f ${one} && ln -s a.txt ${one}`,
    `rm -f ${one} && mkdir ${one} && echo x > ${one}/x`,
    `${isFolder} && rm -rf ${folder} && echo x > ${folder}`,
    `${isFolder} && mv ${folder} folder${number}`,
    `${isFolder} && rm -rf ${folder}`,
    `mv a.txt A.txt`,
    `mkdir -p new${number}/deep && echo n > new${number}/deep/n.txt`,
    `git mv ${one} git${number}.txt`,
    `git rm -qf ${one}`,
    `git rm -q --cached ${one}`,
    `git add -A && ${COMMIT} -m c${number}`,
    "git checkout -q other",
    "git reset -q --hard",
    "git stash -q",
    "git stash pop -q",
    "git clean -qfd",
    `git checkout -q -- ${one}`,
    "git read-tree HEAD",
    "git submodule --quiet update --init",
    "git sparse-checkout set src",
  ]);
}

async function tryOne(seed: number): Promise<void> {
  const random = new Random(seed);
  const kind = random.pick(["repository", "repository", "sha256", "above", "none"]);
  const agent = await RewoundAgent.start(
    Object.fromEntries(FILES.map(path => [path, path === "empty" ? "" : `${path}\nno\n`])),
  );
  try {
    const inGit = kind === "repository" || kind === "sha256";
    if (inGit)
      agent.run(
        `git init -q ${kind === "sha256" ? "--object-format=sha256" : ""}; git config user.email a@b; git config user.name n`,
      );
    if (kind === "above")
      agent.run(`git init -q .. && echo scratch >> ../.git/info/exclude && git add -A && ${COMMIT} -m above`);
    const traits = Object.keys(TRAITS).filter(name => (inGit || !IN_GIT.has(name)) && random.chance(0.3));
    for (const name of traits) agent.run(`${TRAITS[name]?.(random)}; true`);
    // What stands before the turn is older than it, by the clock of any file system.
    agent.run("sleep 0.05; [ ! -d .git ] || git status >/dev/null");
    const before = agent.state();
    // A repository in it that a command deletes is not covered.
    const paths = Object.keys(before).filter(path => !/^ignored|\.log$|^(?:lib|in|unborn)\/|\.git$|loop\//.test(path));
    const deeds = Array.from({ length: random.int(1, 5) }, (_, at) => deed(random, paths, at));
    execFileSync("cp", ["-a", agent.folder, join(agent.base, "copy")]);
    // No rule of the permissions has a say in what a script does.
    agent.write("../command.sh", deeds.map(each => `(${each}) 2>/dev/null </dev/null`).join("\n"));
    await agent.turn("bash ../command.sh");
    const after = agent.state();
    const { stayed } = await agent.session.rewind.rewind(1, "files");
    const told = `seed ${seed}, ${kind} with ${traits}:\n${deeds.join("\n")}\nstayed: ${JSON.stringify(stayed)}`;
    // What cannot be put back is named: nothing else is otherwise than it was.
    const named = (path: string) => stayed?.some(line => line.startsWith(`${path} stays: `)) ?? false;
    const unnamed = (state: Record<string, string>) =>
      Object.fromEntries(Object.entries(state).filter(([path]) => !named(path)));
    assert.deepEqual(unnamed(agent.state()), unnamed(stateOf(join(agent.base, "copy"))), told);
    assert.ok(inGit === existsSync(join(agent.folder, ".git")));
    await agent.session.rewind.undo();
    assert.deepEqual(agent.state(), after, `the undo of ${told}`);
  } finally {
    await agent.end();
  }
}

describe("a rewind of whatever a command did, in a workspace of any kind", function () {
  this.timeout(isSoak("random") ? 1_200_000 : 240_000);
  it("gives back what a copy has, and its undo what stood after the command", async () => {
    for (let round = 0; round < ROUNDS; round++) await tryOne(SEED + round);
  });
});
