/** An agreement to a workspace's hook is void once a file is changed that its command may start: a table of commands. */
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lookAtHooks } from "../../src/core/guidance/hooks/report";
import { NodeFiles } from "../../src/node/files";
import { NodeHooks } from "../../src/node/hooks";
import { nodeHash } from "../../src/node/system";

const scripts = {
  lint: "bash tools/x.sh",
  all: "bash tools/*.sh",
  "pre-deep": "x",
  outer: "npm run inner && true",
  inner: "node scripts/inner.js",
  preouter: "sh tools/pre.sh",
  bin: "checker .",
  other: "bash other.sh",
  test: "jest",
};
const files: Record<string, string> = {
  "package.json": JSON.stringify({ scripts, main: "lib/main.js" }),
  "web/package.json": JSON.stringify({ scripts: { lint: "sh ./web.sh" } }),
  "deno.json": JSON.stringify({ tasks: { lint: "deno run tools/x.ts" } }),
  "composer.json": JSON.stringify({ scripts: { lint: ["php tools/x.php"] } }),
  Makefile: "lint:\n\t@bash tools/x.sh\n",
  "dir/Makefile": "include rules.mk\nlint:\n\tpython3 ./check.py\n",
  justfile: "lint:\n  bash tools/x.sh\n",
  "Taskfile.yml": "version: 3\ntasks:\n  lint:\n    cmds:\n      - bash tools/x.sh\n",
};
const others =
  "tools/x.sh tools/x.ts tools/x.php tools/x.py tools/x.rb tools/x.pl tools/x.lua tools/x.awk tools/x.sed tools/pre.sh tools/a.txt tools/deep/y.sh scripts/inner.js scripts/inner/a.js lib/main.js src/a.ts src/index.js src/main.go src/main.rs pkg/__init__.py pkg/deep/a.py mod.py run run.txt other.sh web/web.sh web/x.sh dir/rules.mk dir/check.py bin/tool lib/a.rb index.js node_modules/.bin/checker server.js sub/.git/config sub/.git/hooks/pre-commit notes.md state.json .claude/log.txt pre.mjs json.rb".split(
    " ",
  );

/** command; a file whose change makes the agreement void */
const bound: readonly [command: string, changed: string][] = [
  ["bash tools/x.sh", "tools/x.sh"],
  ['bash "tools/x.sh"', "tools/x.sh"],
  ["bash t'oo'ls/x.sh", "tools/x.sh"],
  ["bash $'tools/x.sh'", "tools/x.sh"],
  ["bash tools/x\\.sh", "tools/x.sh"],
  ["bash tools/*.sh", "tools/x.sh"],
  ["bash tools/?.sh", "tools/x.sh"],
  ["bash tools/[x].sh", "tools/x.sh"],
  ["bash tools/{a,x}.sh", "tools/x.sh"],
  ["for f in tools/*.sh; do bash $f; done", "tools/x.sh"],
  ["bash tools/*/y.sh", "tools/deep/y.sh"],
  ["./tools/*.sh", "tools/x.sh"],
  ["bash run.txt", "run.txt"],
  ["bash < tools/x.sh", "tools/x.sh"],
  ["cat tools/x.sh | bash", "tools/x.sh"],
  ["bash -o pipefail tools/x.sh", "tools/x.sh"],
  ["bash --rcfile tools/x.sh -ic true", "tools/x.sh"],
  ["X=tools/x.sh; bash $X", "tools/x.sh"],
  ['bash "$(ls tools/*.sh | head -1)"', "tools/x.sh"],
  ["bash `echo tools/x.sh`", "tools/x.sh"],
  ['bash "$CLAUDE_PROJECT_DIR"/tools/x.sh', "tools/x.sh"],
  ["bash $" + "{CLAUDE_PROJECT_DIR:-.}/tools/x.sh", "tools/x.sh"],
  ['bash "$(git rev-parse --show-toplevel)/tools/x.sh"', "tools/x.sh"],
  ['"$(pwd)/bin/tool"', "bin/tool"],
  ["eval 'bash tools/x.sh'", "tools/x.sh"],
  ['eval "$CHECK"', "tools/x.sh"],
  ["source tools/x.sh", "tools/x.sh"],
  [". ./tools/x.sh", "tools/x.sh"],
  ["f() { . tools/x.sh; }; f", "tools/x.sh"],
  ["cd tools && ./x.sh", "tools/x.sh"],
  ["cd tools; bash x.sh", "tools/x.sh"],
  ["(cd web && bash x.sh)", "web/x.sh"],
  ['cd "$D" && ./x.sh', "web/x.sh"],
  ["pushd web && bash x.sh", "web/x.sh"],
  ["bash -c 'cd tools && bash x.sh'", "tools/x.sh"],
  ["env bash tools/x.sh", "tools/x.sh"],
  ["env -S 'bash tools/x.sh'", "tools/x.sh"],
  ["env -C web bash x.sh", "web/x.sh"],
  ["PATH=./bin:$PATH tool", "bin/tool"],
  ['export PATH="$PWD/bin:$PATH"; tool', "bin/tool"],
  ["NODE_OPTIONS='--require ./tools/x.ts' prettier .", "tools/x.ts"],
  ["BASH_ENV=tools/x.sh bash -c true", "tools/x.sh"],
  ["timeout 5 bash tools/x.sh", "tools/x.sh"],
  ["nohup nice -n 5 tools/x.sh", "tools/x.sh"],
  ["xargs bash", "tools/x.sh"],
  ["ls tools | xargs -I{} bash tools/{}", "tools/x.sh"],
  ["find tools -name '*.sh' -exec bash {} \\;", "tools/x.sh"],
  ["find . -exec tools/x.sh {} +", "tools/x.sh"],
  ["make lint", "Makefile"],
  ["make lint", "tools/x.sh"],
  ["make -C dir lint", "dir/Makefile"],
  ["make -C dir lint", "dir/check.py"],
  ["make -Cdir", "dir/rules.mk"],
  ["make --directory=dir", "dir/Makefile"],
  ["make -f dir/Makefile", "dir/Makefile"],
  ["make -C $D", "dir/Makefile"],
  ["just lint", "justfile"],
  ["just lint", "tools/x.sh"],
  ["task lint", "Taskfile.yml"],
  ["task lint", "tools/x.sh"],
  ["npm run lint", "package.json"],
  ["npm run lint", "tools/x.sh"],
  ["npm run all", "tools/x.sh"],
  ["npm run outer", "scripts/inner.js"],
  ["npm run outer", "tools/pre.sh"],
  ["npm run bin", "node_modules/.bin/checker"],
  ["npm test", "src/a.ts"],
  ["npm run $X", "other.sh"],
  ["npm --prefix web run lint", "web/web.sh"],
  ["npm run lint -w web", "web/web.sh"],
  ["pnpm lint", "tools/x.sh"],
  ["pnpm -C web lint", "web/web.sh"],
  ["yarn lint", "tools/x.sh"],
  ["yarn run --silent lint", "tools/x.sh"],
  ["cd web && npm run lint", "web/web.sh"],
  ["npx checker", "node_modules/.bin/checker"],
  ["npx tsx tools/x.ts", "tools/x.ts"],
  ["composer lint", "composer.json"],
  ["python -m pkg", "pkg/deep/a.py"],
  ["python3 -m pkg.deep.a", "pkg/deep/a.py"],
  ["python3.11 -mmod", "mod.py"],
  ["python3 pkg", "pkg/deep/a.py"],
  ["python3 -c 'import mod; mod.run()'", "mod.py"],
  ["python3 -c \"exec(open('tools/x.py').read())\"", "tools/x.py"],
  ["python3 -W ignore tools/x.py", "tools/x.py"],
  ["python3 - < tools/x.py", "tools/x.py"],
  ["python3 tools/$NAME.py", "tools/x.py"],
  ["node .", "lib/main.js"],
  ["node src", "src/index.js"],
  ["node server", "server.js"],
  ["node -r ./tools/x.ts -e 1", "tools/x.ts"],
  ["node --import=./pre.mjs server.js", "pre.mjs"],
  ["node -e 'require(\"./server\")'", "server.js"],
  ["node --test", "src/a.ts"],
  ["tsx tools/x.ts", "tools/x.ts"],
  ["deno run --allow-read=. tools/x.ts", "tools/x.ts"],
  ["deno task lint", "deno.json"],
  ["bun tools/x.ts", "tools/x.ts"],
  ["bun run lint", "tools/x.sh"],
  ["ruby tools/x.rb", "tools/x.rb"],
  ["ruby -I lib -e 'require \"a\"'", "lib/a.rb"],
  ["perl tools/x.pl", "tools/x.pl"],
  ["perl -I. -MX -e 1", "tools/x.pl"],
  ["php tools/x.php", "tools/x.php"],
  ["lua tools/x.lua", "tools/x.lua"],
  ["awk -f tools/x.awk", "tools/x.awk"],
  ["sed -f tools/x.sed notes.md", "tools/x.sed"],
  ["go run ./src", "src/main.go"],
  ["go run .", "src/main.go"],
  ["cargo run --quiet", "src/main.rs"],
  ["pytest -q", "pkg/__init__.py"],
  ["python3 -m pytest", "pkg/__init__.py"],
  ["git -C sub status", "sub/.git/config"],
  ["git -C sub commit -m x", "sub/.git/hooks/pre-commit"],
  ["git -C $D status", "sub/.git/config"],
  ["bash", "my dir/x.sh"],
  ["bash my\\ dir/x.sh", "my dir/x.sh"],
  ["bash my*/x.sh", "my dir/x.sh"],
  ["sudo -E bash tools/x.sh", "tools/x.sh"],
  ['sudo "$X"', "tools/x.sh"],
  ["bash <<< 'bash tools/x.sh'", "tools/x.sh"],
  ["bash <<EOF\nbash tools/x.sh\nEOF", "tools/x.sh"],
  ["bash <(cat tools/x.sh)", "tools/x.sh"],
  ["if true; then while read -r f; do ./$f; done; fi", "tools/x.sh"],
  ["$" + "{X:-tools/x.sh}", "tools/x.sh"],
  ['"ba"sh tools/x.sh', "tools/x.sh"],
  ["\\bash tools/x.sh", "tools/x.sh"],
  ["$SHELL tools/x.sh", "tools/x.sh"],
  ["exec -a name bash tools/x.sh", "tools/x.sh"],
  ["command bash tools/x.sh", "tools/x.sh"],
  ["trap 'bash tools/x.sh' EXIT", "tools/x.sh"],
  ["cat notes.md | bash -s name", "tools/x.sh"],
  ["cat notes.md | python3 -u", "tools/x.py"],
  ["cat notes.md | python3 '-u'", "tools/x.py"],
  ["python3 -c'import mod'", "mod.py"],
  ["python3 -Im pkg", "pkg/deep/a.py"],
  ["perl -Ilib -e 'require a'", "lib/a.rb"],
  ["xargs -a notes.md bash", "tools/x.sh"],
  ["xargs -a notes.md $X", "tools/x.sh"],
  ["flock lock bash tools/x.sh", "tools/x.sh"],
  ["make -sC dir", "dir/Makefile"],
  ["make -ksCdir", "dir/check.py"],
  ["make SHELL=./tools/x.sh", "tools/x.sh"],
  ["go -C src run .", "src/main.go"],
  ["cargo --manifest-path src/Cargo.toml run", "src/main.rs"],
  ["git -c core.pager='bash tools/x.sh' log", "tools/x.sh"],
  ["awk 'BEGIN { system(\"bash tools/x.sh\") }'", "tools/x.sh"],
  ['bash -c "$(cat tools/x.sh)"', "tools/x.sh"],
  [". <(cat tools/x.sh)", "tools/x.sh"],
  ["uv run tools/x.py", "tools/x.py"],
  ["uv --directory tools run x.py", "tools/x.py"],
  ["poetry run python -m pkg", "pkg/deep/a.py"],
  ["bundle exec ruby tools/x.rb", "tools/x.rb"],
  ['npx tsx "$CLAUDE_PROJECT_DIR/tools/x.ts"', "tools/x.ts"],
];
/** command; a file that says nothing of what it starts */
const free: readonly [command: string, changed: string][] = [
  ["bash tools/x.sh", "other.sh"],
  ["bash tools/*.sh", "src/a.ts"],
  ["npm run lint", "other.sh"],
  ["npm run lint", "src/a.ts"],
  ["npm ls", "package.json"],
  ["make -C dir lint", "Makefile"],
  ["make -C dir lint", "src/a.ts"],
  ['jq -r .tool_input.file_path | { read -r f; npx prettier --write "$f"; }', "src/a.ts"],
  ['FILE_PATH=$(jq -r .tool_input.file_path); eslint --fix "$FILE_PATH"', "src/a.ts"],
  ['export PATH="$HOME/.local/bin:$PATH"; ruff check --fix "$1"', "mod.py"],
  ["python3 -c 'import json, sys; print(json.load(sys.stdin))'", "mod.py"],
  ["python3 tools/x.py state.json", "state.json"],
  ["echo done >> .claude/log.txt", ".claude/log.txt"],
  ["jq -r .x >> state.json", "state.json"],
  ["cargo fmt", "src/main.rs"],
  ["go vet ./...", "src/main.go"],
  ["git status --short", "sub/.git/config"],
  ["git diff --stat && date | tee -a .claude/log.txt", ".claude/log.txt"],
  ["docker run --rm image bash -lc check", "tools/x.sh"],
  ["deno run --allow-read=. tools/x.ts", "src/a.ts"],
  ['npx tsx "$CLAUDE_PROJECT_DIR/tools/x.ts"', "src/a.ts"],
  ['uv run ruff check --fix "$1"', "mod.py"],
  ["uv run tools/x.py", "mod.py"],
  ["osascript -e 'display notification \"done\"'", "src/a.ts"],
];

describe("what an agreement to a command is bound to", function () {
  this.timeout(60_000);
  if (process.platform === "win32") return;
  let folder: string;
  const at = (path: string) => join(folder, "ws", path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
    if (/^bin\/|\.sh$/.test(path)) chmodSync(at(path), 0o755);
  };
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-started-")));
    for (const name of others) write(name, "1\n");
    for (const [name, text] of Object.entries({ ...files, "my dir/x.sh": "true\n" })) write(name, text);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const look = async (command: string, guard?: (scripts: readonly string[]) => void) => {
    write(".claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } }));
    const options = { configDir: join(folder, "config"), home: join(folder, "home"), logger: { log: () => undefined } };
    const roots = () => new NodeFiles([at("")]).roots;
    const hooks = new NodeHooks({ ...options, roots, trusted: () => true, ...(guard && { guard }) });
    const [file] = (await lookAtHooks(hooks, nodeHash)).files;
    return file;
  };
  /** Whether the agreement holds on when it was changed. */
  async function holds(command: string, changed: string): Promise<boolean> {
    const before = (await look(command))?.key;
    assert.ok(before !== undefined, "somebody can agree to it");
    appendFileSync(at(changed), " ");
    return (await look(command))?.key === before;
  }
  for (const [command, changed] of bound)
    it(`${command} is bound to ${changed}`, async () => assert.equal(await holds(command, changed), false));
  for (const [command, changed] of free)
    it(`${command} is not bound to ${changed}`, async () => assert.equal(await holds(command, changed), true));
});
