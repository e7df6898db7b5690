/** `strata mcp serve`, asked by clients that others wrote: what it offers, what it refuses, and that it ends with its caller. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtProduct } from "../../scripts/lib/product.mjs";

const TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

describe("strata mcp serve", function () {
  this.timeout(60_000);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-serve-")));
  const workspace = join(folder, "ws");
  let program = "";
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: folder,
  };
  const launch = (...more: string[]) => {
    const args = [program, "mcp", "serve", "--workspace", workspace, "--storage", join(folder, "s"), ...more];
    return { command: process.execPath, args, env, stderr: "pipe" as const };
  };
  before(async function () {
    this.timeout(300_000);
    program = join(await builtProduct(), "cli/main.js");
    mkdirSync(join(workspace, "src"), { recursive: true });
    writeFileSync(join(workspace, "src/a.ts"), `const one = 1;\nconst key = "${TOKEN}";\n`);
    writeFileSync(join(workspace, ".env"), "API_KEY=very-secret-value-1234\n");
    writeFileSync(join(folder, "outside.txt"), "outside\n");
    symlinkSync(join(folder, "outside.txt"), join(workspace, "link.txt"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  type Call = (name: string, input: Record<string, unknown>) => Promise<{ text: string; isError: boolean }>;

  async function prove(names: string[], call: Call): Promise<void> {
    assert.deepEqual(names, ["Read", "Glob", "Grep"], "no editor, no session, and nothing that writes");
    const read = await call("Read", { file_path: "src/a.ts" });
    assert.match(read.text, /const one = 1;/);
    assert.doesNotMatch(read.text, new RegExp(TOKEN));
    assert.match((await call("Grep", { pattern: "const (one|key)" })).text, /src\/a\.ts/);
    assert.match((await call("Glob", { pattern: "**/*.ts" })).text, /src\/a\.ts/);
    for (const file_path of [".env", "link.txt", join(folder, "outside.txt"), "/etc/passwd"]) {
      const refused = await call("Read", { file_path });
      assert.ok(refused.isError, file_path);
      assert.doesNotMatch(refused.text, /very-secret|^outside$|root:/m);
    }
    assert.doesNotMatch((await call("Grep", { pattern: "very-secret" })).text, /very-secret-value/);
    for (const [name, input] of [
      ["Write", { file_path: "x", content: "x" }],
      ["Bash", { command: "id" }],
      ["Read", {}],
    ] as const)
      assert.ok((await call(name, input)).isError, name);
  }

  const textOf = (content: unknown) => (content as { text?: string }[]).map(({ text = "" }) => text).join("\n");

  it("a client of the newest family, which asks for the newest revision first", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StdioClientTransport(launch()));
    const { tools } = await client.listTools();
    await prove(
      tools.map(({ name }) => name),
      async (name, input) => {
        const { content, isError = false } = await client.callTool({ name, arguments: input });
        return { text: textOf(content), isError };
      },
    );
    await client.close();
  });

  it("a client of the family before it", async () => {
    const client = new OlderClient({ name: "test", version: "1" });
    await client.connect(new OlderTransport(launch()));
    const { tools } = await client.listTools();
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
    assert.match(client.getInstructions() ?? "", /There is no Diagnostics/);
    await prove(
      tools.map(({ name }) => name),
      async (name, input) => {
        const { content, isError } = await client.callTool({ name, arguments: input });
        return { text: textOf(content), isError: isError === true };
      },
    );
    await client.close();
  });

  it("lines that are none get an error, what is unknown too, and the end of the stream is its end", async () => {
    const { command, args } = launch();
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", bytes => {
      out += bytes;
    });
    const ended = new Promise(resolve => child.once("exit", resolve));
    const lines = [
      "no json",
      "[]",
      '{"jsonrpc":"2.0","id":1,"method":"server/discover"}',
      '{"id":2,"method":"tools/call"}',
    ];
    child.stdin.end(
      `${[...lines, '{"id":{},"method":"ping"}', '{"method":"notifications/x"}', '{"id":3,"method":"ping"}'].join("\n")}\n`,
    );
    assert.equal(await ended, 0);
    const answers = out
      .trim()
      .split("\n")
      .map(line => JSON.parse(line));
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32700],
        [1, -32601],
        [2, -32602],
        [null, -32600],
        [3, undefined],
      ],
    );
  });

  it("says in one line that a session is not there", async () => {
    const { command, args } = launch("--session", "ses_none");
    const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    let err = "";
    child.stderr.on("data", bytes => {
      err += bytes;
    });
    assert.equal(await new Promise(resolve => child.once("close", resolve)), 1);
    assert.match(err, /ses_none/);
  });
});
