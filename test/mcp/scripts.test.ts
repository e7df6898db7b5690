/** Which scripts of a workspace an agreement to a server's command is for, and what is none. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readConfigs } from "../../src/mcp/config/readConfigs";
import { ServerScripts, scriptName, tooMuch } from "../../src/mcp/config/scripts";

const v = (name: string) => `$\{${name}}`;

describe("scripts of MCP servers", () => {
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-mcp-scripts-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (path: string, content: string | Buffer = "text") => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const of = (command: string, args: readonly string[] = [], cwd?: string) => {
    const origin = { file: "", shown: "", level: "workspace", folder } as const;
    const launch = { type: "stdio", command, args, env: {}, ...(cwd !== undefined && { cwd }) } as const;
    const environment = { PWD: folder, SRV: join(folder, "srv") };
    return new ServerScripts(environment, () => []).of({ name: "s", origin, inputs: new Map(), launch });
  };
  const names = async (...given: Parameters<typeof of>) => (await of(...given)).map(scriptName);

  it("in the usual spellings", async () => {
    for (const path of ["server.js", "s.sh", "run", "main.go", "srv/weather.py", "weather.py", "srv/index.js"])
      put(path);
    const cases: [expected: string[], ...Parameters<typeof of>][] = [
      [["server.js"], "node", [`${v("CLAUDE_PROJECT_DIR:-.")}/server.js`]],
      [["server.js"], "node", [`${v("PWD")}/server.js`]],
      [["s.sh"], v("NOT_SET:-./s.sh")],
      [["srv/weather.py"], "python", ["weather.py"].map(name => `${v("env:SRV")}/${name}`)],
      [["srv/weather.py", "weather.py"], "python", ["weather.py"], v("env:SRV")],
      [["server.js"], "bash", ["-lc", "exec node ./server.js --port 1"]],
      [["s.sh"], "sh", ["-c", "FOO=1 ./s.sh;true"]],
      [["srv/"], "bash", ["-c", "cd srv && node ."]],
      [["server.js"], "node", ["server"]],
      [["server.js"], "npx", ["tsx", "--watch", "./server"]],
      [["run"], "sh", ["run"]],
      [["run"], "./run"],
      [["./", "main.go"], "go", ["run", "main.go"]],
      [["srv/weather.py", "weather.py"], "uv", ["--directory", `${v("workspaceFolder")}/srv`, "run", "weather.py"]],
      [["server.js"], "node", ["-r./server.js", "server.js", "--db=run"]],
      [[], "docker", ["run", "-i", "image", v("input:unknown")]],
    ];
    for (const [expected, ...given] of cases) assert.deepEqual(await names(...given), expected, JSON.stringify(given));
  });

  it("data that a server works with is none, whatever rights a file system gives it", async () => {
    for (const path of ["data.db", "notes.md", "run"]) {
      put(path, Buffer.from("SQLite format 3\0"));
      chmodSync(join(folder, path), 0o755);
    }
    put("server.js");
    assert.deepEqual(await names("mcp-sqlite", ["--db-path", "./data.db", "notes.md", "run"]), []);
    assert.deepEqual(await names("node", ["server.js", "--db-path", "./data.db"]), ["server.js"]);
    put("tool", Buffer.from("7f454c46020101", "hex"));
    put("script", "#!/bin/sh\n");
    assert.deepEqual(await names("timeout", ["5", "./tool", "./script"]), ["script", "tool"]);
  });

  it("a large program is known by what is in it, wherever it lies and whenever it was written", async () => {
    put("tool", Buffer.concat([Buffer.from("7f454c46", "hex"), Buffer.alloc(9_000_000)]));
    const [before] = await of("./tool");
    copyFileSync(join(folder, "tool"), join(folder, "again"));
    rmSync(join(folder, "tool"));
    copyFileSync(join(folder, "again"), join(folder, "tool"));
    assert.deepEqual(await of("./tool"), [before]);
    appendFileSync(join(folder, "tool"), "!");
    assert.notDeepEqual(await of("./tool"), [before]);
  });

  it("what it starts by its environment, its tasks, and what scripts load, is its own", async () => {
    put("package.json", JSON.stringify({ scripts: { mcp: "node srv/main.js" } }));
    for (const path of ["srv/main.js", "lib/mod.py"]) put(path);
    put("server.py", "import helper\n");
    put("helper.py");
    assert.deepEqual(await names("npm", ["run", "mcp"]), ["package.json", "srv/main.js"]);
    assert.deepEqual(await names("python", ["server.py"]), ["helper.py", "server.py"]);
    assert.deepEqual(await names("npx", ["-y", "@scope/server-filesystem", folder]), ["package.json"]);
    const launch = {
      type: "stdio",
      command: "python",
      args: ["-m", "mod"],
      env: { PYTHONPATH: `${v("workspaceFolder")}/lib` },
    } as const;
    const origin = { file: "", shown: "", level: "workspace", folder } as const;
    const scripts = new ServerScripts({}, () => []);
    assert.deepEqual((await scripts.of({ name: "s", origin, inputs: new Map(), launch })).map(scriptName), ["lib/"]);
  });

  it("more than can be looked at is said, and nobody can agree to it", async () => {
    for (let each = 0; each < 2_100; each++) put(`pkg/${each}.py`);
    assert.match(tooMuch(await of("python", ["-m", "pkg"])) ?? "", /may be any file in pkg/);
    assert.equal(tooMuch(await of("python", ["pkg/7.py"])), undefined);
  });

  it("a workspace's command of thousands of words is none that somebody can agree to; the user's own may be so", async () => {
    const args = Array.from({ length: 400 }, (_, at) => `a${at} b${at} c${at} d${at} e${at} f${at}`);
    const text = JSON.stringify({ servers: { odd: { command: "sh", args } } });
    for (const path of [".mcp.json", "user.json"]) put(path, text);
    const at = (userFiles: string[], folders: string[]) =>
      readConfigs({ userFiles: userFiles.map(path => ({ path: join(folder, path), shown: path })), folders });
    const { servers, problems } = await at([], [folder]);
    assert.deepEqual(
      [servers, problems.map(({ why }) => why)],
      [[], ["its command is too long: move it into a script"]],
    );
    assert.equal((await at(["user.json"], [])).servers.length, 1);
  });
});
