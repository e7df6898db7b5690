/** Which scripts of a workspace an agreement to a server's command is for, and what is none. */
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LaunchFacts, scriptName } from "../../src/mcp/config/agreedLaunch";
import { temporaryFolder } from "../fakes/temporary";

const v = (name: string) => `$\{${name}}`;

describe("scripts of MCP servers", () => {
  let folder = "";
  beforeEach(() => {
    folder = temporaryFolder("mcp-scripts");
  });

  const put = (path: string, content: string | Buffer = "text") => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const of = (command: string, args: readonly string[] = [], cwd?: string) => {
    const origin = { file: "", shown: "", level: "workspace", folder } as const;
    const launch = { type: "stdio", command, args, env: {}, ...(cwd !== undefined && { cwd }) } as const;
    const environment = { PWD: folder, SRV: join(folder, "srv") };
    return new LaunchFacts(environment, () => []).of({ name: "s", origin, inputs: new Map(), launch });
  };
  const scripts = async (...given: Parameters<typeof of>) => {
    const found = await of(...given);
    return typeof found === "string" ? [] : (found.scripts ?? []);
  };
  const names = async (...given: Parameters<typeof of>) => (await scripts(...given)).map(scriptName);

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
      [["run"], "sh", ["run"]],
      [["srv/weather.py", "weather.py"], "uv", ["--directory", `${v("workspaceFolder")}/srv`, "run", "weather.py"]],
      [["server.js"], "node", ["-r./server.js", "server.js", "--db=run"]],
      [[], "docker", ["run", "-i", "image", v("input:unknown")]],
    ];
    for (const [expected, ...given] of cases) assert.deepEqual(await names(...given), expected, JSON.stringify(given));
  });

  it("data that a server works with is none, whatever rights a file system gives it", async () => {
    for (const path of ["data.db", "notes.md"]) {
      put(path, Buffer.from("SQLite format 3\0"));
      chmodSync(join(folder, path), 0o755);
    }
    put("server.js");
    assert.deepEqual(await names("mcp-sqlite", ["--db-path", "./data.db", "notes.md"]), []);
    assert.deepEqual(await names("node", ["server.js", "--db-path", "./data.db"]), ["server.js"]);
    put("tool", Buffer.from("7f454c46020101", "hex"));
    put("script", "#!/bin/sh\n");
    assert.deepEqual(await names("timeout", ["5", "./tool", "./script"]), ["script", "tool"]);
  });

  it("a large program is known by what is in it, wherever it lies and whenever it was written", async () => {
    put("tool", Buffer.concat([Buffer.from("7f454c46", "hex"), Buffer.alloc(9_000_000)]));
    const [before] = await scripts("./tool");
    copyFileSync(join(folder, "tool"), join(folder, "again"));
    rmSync(join(folder, "tool"));
    copyFileSync(join(folder, "again"), join(folder, "tool"));
    assert.deepEqual(await scripts("./tool"), [before]);
    appendFileSync(join(folder, "tool"), "!");
    assert.notDeepEqual(await scripts("./tool"), [before]);
  });

  it("the tasks of the project and of a folder that it names count", async () => {
    for (const path of ["package.json", "Makefile", "srv/package.json", "srv/main.js", "lib/mod.py"]) put(path, "{}");
    assert.deepEqual(await names("npm", ["run", "mcp"]), ["Makefile", "package.json"]);
    assert.deepEqual(await names("npm", ["--prefix", "srv", "start"]), [
      "Makefile",
      "package.json",
      "srv/package.json",
    ]);
  });

  it("of more words than can be looked at nobody can agree to", async () => {
    const args = Array.from({ length: 400 }, (_, at) => `a${at} b${at} c${at} d${at} e${at} f${at}`);
    assert.match(String(await of("sh", args)), /too long: move them into scripts/);
    assert.notEqual(typeof (await of("python", ["pkg/7.py"])), "string");
  });
});
