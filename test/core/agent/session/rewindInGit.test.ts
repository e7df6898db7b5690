/** What Git says nothing of is put back too; what a rewind of files leaves in a repository is a gap. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RewoundAgent } from "../../../fakes/rewound";

const FILES = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "src/c.txt": "c\n",
  "docs/d.txt": "d\n",
  ".gitignore": "nm/\n*.log\n.env\n",
};

interface Row {
  title: string;
  /** before the turn, by the person */
  setUp?: string;
  command: string | { path: string; text: string } | readonly (string | { path: string; text: string })[];
  /** each is in what stays; absent: nothing does */
  stays?: RegExp[];
  /** the repository that has other commits, branches or stashes */
  moved?: string;
  /** files that a rewind leaves otherwise than they were */
  differs?: readonly string[];
  folders?: readonly string[];
}

/** Takes longer than a step of the file system's clock: what stands before it is older than the turn. */
const LATER = "git commit -qm later --allow-empty && git status -s && git fsck --no-progress";

const rows: Row[] = [
  { title: "a sparse checkout", setUp: "git sparse-checkout set src", command: "echo x > src/c.txt; echo y > a.txt" },
  { title: "a checkout that gets sparse", command: "git sparse-checkout set src" },
  // HEAD
  {
    title: "commit",
    command: "echo x > a.txt && git commit -qam two",
    moved: "",
  },
  {
    title: "commit of an edit",
    command: [{ path: "n.txt", text: "n\n" }, "git add n.txt && git commit -qm n"],
    moved: "",
  },
  {
    title: "checkout of another branch",
    setUp: "git checkout -q -b other && echo o > a.txt && git commit -qam o && git checkout -q -",
    command: "git checkout -q other",
    moved: "",
  },
  {
    title: "reset --hard",
    setUp: "echo two > a.txt && git commit -qam two && echo mine > b.txt",
    command: "git reset -q --hard HEAD~1",
    moved: "",
  },
  {
    title: "stash",
    setUp: "echo mine > a.txt",
    command: "git stash -q",
    moved: "",
  },
  {
    title: "stash pop",
    setUp: "echo mine > a.txt && git stash -q",
    command: "git stash pop -q",
    moved: "",
  },
  { title: "stash and pop at once", setUp: "echo mine > a.txt", command: "git stash -q && git stash pop -q" },
  {
    title: "moved and moved back",
    command: ["git switch -qc new", "git switch -q - && git branch -qD new && echo x > a.txt"],
    moved: "",
  },
  {
    title: "a submodule that is moved",
    setUp:
      "git init -q ../lib && git -C ../lib -c user.email=a@b -c user.name=n commit -qm l --allow-empty && git -C ../lib -c user.email=a@b -c user.name=n commit -qm m --allow-empty && git -c protocol.file.allow=always submodule add -q ../lib sub && git commit -qm sub",
    command: "git -C sub checkout -q HEAD~1",
    moved: "/sub",
  },
  {
    title: "a repository in it",
    setUp: "git init -q lib && git -C lib config user.email a@b && git -C lib config user.name n && echo l > lib/l.txt",
    command: "cd lib && git add -A && git commit -qm l && echo x > l.txt",
    moved: "/lib",
  },
  {
    title: "a filter that Git is not to run",
    setUp:
      "git config filter.up.clean 'sed s/^/long/' && git config filter.up.smudge cat && echo '*.up filter=up' > .gitattributes && echo x > f.up && git add . && git commit -qm f && echo y > f.up && touch -d @1700000000 f.up && git add f.up && git commit -qm y",
    command: "echo z > f.up; echo x > a.txt",
  },
  // ignored files that went
  {
    title: "an ignored folder",
    setUp: "mkdir nm && echo x > nm/x",
    command: "rm -rf nm",
    differs: ["nm/x"],
  },
  {
    title: "an ignored file, with others",
    setUp: "echo s > .env && echo l > src/a.log",
    command: "git clean -fdxq",
    differs: [".env", "src/a.log"],
  },
  {
    title: "a folder with an ignored one in it",
    setUp: "mkdir -p src/nm && echo x > src/nm/x",
    command: "rm -r src",
    differs: ["src/nm/x"],
  },
  {
    title: "a .gitignore that shows what was ignored",
    setUp: `echo l > x.log && ${LATER}`,
    command: "echo > .gitignore",
  },
  // folders
  { title: "a folder with a file", command: "mkdir -p n/deep && echo x > n/deep/x" },
  { title: "a folder of an edit", command: { path: "n/deep/x.txt", text: "x\n" } },
  {
    title: "a folder that was there",
    setUp: `mkdir -p old/empty && ${LATER}`,
    command: "echo x > old/empty/x",
    folders: ["old", "old/empty"],
  },
  {
    title: "a folder that was there, by an edit",
    setUp: `mkdir old && ${LATER}`,
    command: { path: "old/x", text: "x\n" },
    folders: ["old"],
  },
  {
    title: "files that go into a folder that was there",
    setUp: `mkdir old && ${LATER}`,
    command: "mv src/c.txt old/",
    folders: ["old"],
  },
  { title: "an empty folder made and filled by two commands", command: ["mkdir -p n/m", "echo x > n/m/x"] },
  // what one path is
  { title: "a file that became a folder", command: "rm a.txt && mkdir a.txt && echo x > a.txt/x" },
  { title: "a folder that became a file", command: "rm -r src && echo x > src" },
  {
    title: "a folder that became a link to another",
    command: "rm -r src && mkdir o && echo o > o/c.txt && ln -s o src",
  },
  { title: "a file that became a link", command: "rm a.txt && ln -s b.txt a.txt" },
  {
    title: "a link that became a file",
    setUp: "ln -s b.txt l && git add l && git commit -qm l",
    command: "rm l && echo x > l",
  },
  {
    title: "line ends",
    setUp: "printf 'a\\r\\nb\\r\\n' > crlf && git add . && git commit -qm c && git config core.autocrlf true",
    command: "printf 'x\\n' > crlf; echo y > a.txt",
  },
];

describe("a rewind in a repository", function () {
  this.timeout(60_000);
  for (const { title, setUp, command, stays = [], moved, differs = [], folders = [] } of rows) {
    it(title, async () => {
      const agent = await RewoundAgent.start(FILES, { git: true });
      try {
        if (setUp) agent.run(setUp);
        const before = agent.state();
        const foldersBefore = foldersOf(agent.folder);
        const commands = typeof command === "string" || "path" in command ? [command] : command;
        const turn = await agent.turn(...commands);
        const left = agent.state();
        const preview = await agent.session.rewind.preview(turn);
        assert.equal(preview.stays.length, stays.length, preview.stays.join("\n"));
        for (const [at, words] of stays.entries()) assert.match(preview.stays[at] ?? "", words);
        const gap = `A command changed commits, branches or stashes of ${agent.folder}${moved}: those stay, only files go back.`;
        assert.deepEqual(preview.gaps, moved === undefined ? [] : [gap]);
        const { stayed = [] } = await agent.session.rewind.rewind(turn, "both");
        assert.deepEqual(stayed, preview.stays);
        const without = (state: Record<string, string>) =>
          Object.fromEntries(Object.entries(state).filter(([name]) => !differs.includes(name)));
        assert.deepEqual(without(agent.state()), without(before));
        const lost = differs.flatMap(name => parentsOf(name));
        const known = (names: string[]) => names.filter(name => !lost.includes(name));
        assert.deepEqual(known(foldersOf(agent.folder)), known(foldersBefore));
        for (const folder of folders) assert.ok(foldersOf(agent.folder).includes(folder), folder);
        await agent.session.rewind.undo();
        assert.deepEqual(without(agent.state()), without(left));
      } finally {
        await agent.end();
      }
    });
  }

  it("what a person made in a folder since stays, with the folder", async () => {
    const agent = await RewoundAgent.start(FILES, { git: true });
    try {
      const turn = await agent.turn("mkdir n && echo x > n/x", { path: "m/x", text: "x\n" });
      agent.write("n/mine", "mine\n");
      agent.write("m/mine", "mine\n");
      await agent.session.rewind.rewind(turn, "files");
      assert.deepEqual(foldersOf(agent.folder), ["docs", "m", "n", "src"]);
    } finally {
      await agent.end();
    }
  });
});

function parentsOf(name: string): string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter(name => !/(^|\/)\.git(\/|$)/.test(name))
    .sort();
}
