/** Configuration as it exists: the three files, their variables; a broken entry is named and the others count. */

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { readConfigs } from "../../src/mcp/config/readConfigs";
import { fillIn, readEnvFile } from "../../src/mcp/config/variables";
import { LazyServers } from "../../src/mcp/lazyServers";
import { pluck } from "../fakes/pluck";
import { temporaryFolder } from "../fakes/temporary";

const variable = (name: string) => `$\{${name}}`;

describe("configuration of MCP servers", () => {
  const folder = temporaryFolder("mcp-config");
  const user = join(folder, "user.json");
  const places = { userFiles: [{ path: user, shown: "user" }], folders: [folder] };
  const put = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  beforeEach(() => {
    for (const path of ["user.json", ".vscode/mcp.json", ".mcp.json"]) rmSync(join(folder, path), { force: true });
  });

  it("the user's own, VS Code's with comments, and the portable file; of one name, the user's counts", async () => {
    put("user.json", '{"servers":{"github":{"command":"mine"}}}');
    put(
      ".vscode/mcp.json",
      '\uFEFF{ // comment\n "servers": {"github":{"command":"theirs"},"web":{"type":"http","url":"https://x/mcp","headers":{"A":"b"}},},}',
    );
    put(
      ".mcp.json",
      '{"mcpServers":{"db":{"command":"npx","args":["-y",1],"env":{"PORT":8080,"NONE":null}},"sse":{"type":"sse","url":"http://y"},"resting":{"command":"x","disabled":true}}}',
    );
    const { servers, problems } = await readConfigs(places);
    assert.deepEqual(
      servers.map(({ name, origin, launch }) => [name, origin.level, launch]),
      [
        ["github", "user", { type: "stdio", command: "mine", args: [], env: {} }],
        ["web", "workspace", { type: "http", url: "https://x/mcp", headers: { A: "b" } }],
        ["db", "workspace", { type: "stdio", command: "npx", args: ["-y", "1"], env: { PORT: "8080" } }],
        ["sse", "workspace", { type: "sse", url: "http://y", headers: {} }],
      ],
    );
    assert.deepEqual(problems, [
      {
        file: ".vscode/mcp.json",
        entry: "github",
        why: "user has a server of this name, which is used. Give one of them another name",
      },
    ]);
  });

  it("a file of the workspace that a command in the sandbox may have made names no server, the user's own does", async () => {
    put("user.json", '{"servers":{"github":{"command":"mine"}}}');
    put(".mcp.json", '{"mcpServers":{"db":{"command":"npx"}}}');
    const sandbox = { mayHaveMade: (_: string, read?: { text: string }) => read?.text.includes("npx") ?? true };
    const { servers, problems } = await readConfigs(places, sandbox as never);
    assert.deepEqual(pluck(servers, "name"), ["github"]);
    assert.match(problems.map(({ file, why }) => `${file}: ${why}`).join(), /^\.mcp\.json: It was made or changed/);
  });

  it("what cannot be used is named, the rest counts", async () => {
    put(
      ".vscode/mcp.json",
      '{"inputs":[{"id":"a","type":"command"},7],"servers":{"one":{"command":""},"two":7,"three":{"type":"ws","url":"x"},"four":{"command":"ok","sandboxEnabled":false},"five":{"url":7},"six":{"command":"ok","sandboxEnabled":7}}}',
    );
    put(".mcp.json", '{"mcpServers": {\n"a": }');
    const { servers, problems } = await readConfigs(places);
    assert.deepEqual(pluck(servers, "name"), ["four"]);
    assert.deepEqual(
      problems.map(({ file, entry, why }) => `${file} ${entry}: ${why}`),
      [
        ".vscode/mcp.json inputs: type: it must be one of these: promptString, pickString",
        ".vscode/mcp.json inputs: it is not an object",
        ".vscode/mcp.json one: command: the command is empty",
        ".vscode/mcp.json two: it is not an object",
        '.vscode/mcp.json three: its type is "ws", not stdio, http or sse',
        ".vscode/mcp.json five: url: it must be text",
        ".vscode/mcp.json six: sandbox: it must be true or false",
        ".mcp.json undefined: line 2 is no JSON (ValueExpected)",
      ],
    );
  });

  it("variables are filled in, asked for, or named where they cannot be", async () => {
    const configured = async (entry: object, inputs: object[] = []) => {
      put(".vscode/mcp.json", JSON.stringify({ servers: { one: entry }, inputs }));
      const [server] = (await readConfigs(places)).servers;
      if (!server) throw new Error("it is not there");
      const environment = { HOME: "/home/me", TOKEN: "t1", PATH: "/bin", OTHER: "secret", BASH_FUNC: "() { :; }" };
      const envFile = await readEnvFile(server, environment);
      return fillIn({ ...server, envFile }, { environment, input: async ({ id }) => `asked ${id}` });
    };
    const asked = [{ id: "key", type: "promptString", password: true }];
    const { command, args, cwd, env } = (await configured(
      {
        ...{ command: `${variable("workspaceFolder")}/run`, cwd: "sub" },
        args: [variable("env:TOKEN"), variable("userHome"), variable("UNSET:-usual"), variable("input:key")],
        env: { KEY: variable("input:key") },
      },
      asked,
    )) as Extract<Awaited<ReturnType<typeof configured>>, { type: "stdio" }>;
    assert.deepEqual(
      [command, args, cwd],
      [join(folder, "run"), ["t1", homedir(), "usual", "asked key"], join(folder, "sub")],
    );
    assert.deepEqual(env, { HOME: "/home/me", PATH: "/bin", KEY: "asked key" });
    put(".vscode/mcp.json", JSON.stringify({ servers: { one: { command: "tool" } } }));
    const [server] = (await readConfigs(places)).servers;
    const environment = { PATH: [join(folder, "bin"), "bin", "/bin"].join(delimiter) };
    const ready = server && (await fillIn(server, { environment, input: async () => "", folders: () => [folder] }));
    assert.deepEqual(ready?.type === "stdio" && ready.env, { PATH: "/bin" }, "no program of the workspace by its name");
    await assert.rejects(
      configured({ command: variable("env:NO") }),
      /needs the environment variable NO \(in \.vscode\/mcp\.json\), and it is not set/,
    );
    await assert.rejects(
      configured({ command: variable("command:evil") }),
      /uses \$\{command:evil\}, which Strata cannot fill in/,
    );
    await assert.rejects(configured({ command: variable("input:what") }), /no input of that name/);
    await assert.rejects(configured({ command: "x", envFile: "not-there" }), /not-there, cannot be read/);
    await assert.rejects(configured({ url: "file:///etc/passwd" }), /no http address/);
  });

  it("nothing is loaded as long as nothing is configured", async () => {
    let loads = 0;
    const lazy = new LazyServers(
      () => places,
      async () => {
        loads += 1;
        const onDidChange = () => () => undefined;
        const nothing = { list: () => [], offers: () => [], onDidChange };
        return { ...nothing, refresh: async () => undefined, close: async () => undefined } as never;
      },
    );
    await lazy.refresh();
    assert.deepEqual([loads, lazy.list(new Set())], [0, []]);
    put(".mcp.json", "{}");
    await lazy.refresh();
    await lazy.refresh();
    assert.equal(loads, 1);
  });
});
