/** What has to go on working in the sandbox, and what it is like where it does not work. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { SandboxPolicy, ShellRun } from "../../../src/core/ground/ports";
import { missingWords } from "../../../src/core/ground/ports/shell";
import { holdsSecret } from "../../../src/core/secrets/shapes";
import { isAllowed } from "../../../src/node/sandbox/gate";
import { notAllowed, notInstalled } from "../../../src/node/sandbox/probe";
import { NodeSandbox } from "../../../src/node/sandbox/sandbox";
import { NodeShell } from "../../../src/node/shell/shell";
import { nodeClock } from "../../../src/node/system";
import { backgroundTasks } from "../../fakes/tasks";
import { InSandbox, needsSandbox, requireSandbox } from "./inSandbox";

const AS = "git -c user.name=n -c user.email=e@example.com";

describe("in the sandbox", function () {
  needsSandbox(this);
  let box: InSandbox;
  afterEach(() => box?.close());

  const prints = async (command: string, expected: string | RegExp) => {
    const ran = await box.run(command);
    assert.equal(ran.exitCode, 0, JSON.stringify(ran));
    if (typeof expected === "string") assert.equal(ran.out.trim(), expected);
    else assert.match(ran.out, expected);
    return ran;
  };

  it("programs, pipes, files of the workspace and the exit code", async () => {
    box = new InSandbox({ files: { "src/a.txt": "b\na\n" } });
    await prints("node -e 'console.log(1 + 1)'", "2");
    await prints("python3 -c 'print(2 + 2)'", "4");
    await prints("sort src/a.txt | head -1 | tee out.txt; cat out.txt", "a\na");
    await prints("cat <<'EOF'\n$HOME `x`\nEOF", "$HOME `x`");
    assert.equal(readFileSync(join(box.root, "out.txt"), "utf8"), "a\n");
    assert.equal((await box.run("exit 3")).exitCode, 3);
    assert.equal((await box.run("cd src")).cwd, join(box.root, "src"));
    assert.equal((await box.run(`echo ${"x".repeat(300_000)} | wc -c`)).out.trim(), "300001");
  });

  describe("has of the environment what tools need and what a person named", () => {
    const password = "Tr0ub4dor-and-3";
    const SECRETS: Record<string, string> = {
      ...{
        DATABASE_URL: `postgres://app:${password}@db/app`,
        REDIS_URL: `redis://:${password}@cache`,
        STRIPE: password,
      },
      ...{
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "http.extraHeader",
        GIT_CONFIG_VALUE_0: `Authorization: ${password}`,
      },
      ...{ GITHUB_TOKEN: password, AWS_SECRET_ACCESS_KEY: password, SENTRY_DSN: `https://${password}@sentry.io/1` },
      ...{ npm_config__auth: password, "npm_config_//r.example.com/:_authToken": password, UV_PUBLISH_TOKEN: password },
      ...{ COMPOSER_AUTH: password, BUNDLE_GEMS__EXAMPLE__COM: `u:${password}`, CARGO_REGISTRY_TOKEN: password },
      ...{
        PIP_INDEX_URL: `https://u:${password}@pypi.example.com/simple`,
        HTTPS_PROXY: `http://u:${password}@proxy:8080`,
      },
      ...{ https_proxy: `u:${password}@proxy:8080`, GOPROXY: `https://direct,https://${password}@goproxy` },
      ...{ MAVEN_OPTS: `-Xmx2g -Drepo.password="${password}"`, NODE_OPTIONS: `--title=ghp_${"a1B2".repeat(9)}` },
      ...{
        SSH_AUTH_SOCK: `/x/${password}`,
        DBUS_SESSION_BUS_ADDRESS: password,
        NIX_CONFIG: `access-tokens = ${password}`,
      },
      BASH_FUNC_secret: password,
    };
    const TOOLS = {
      ...{ JAVA_HOME: "/opt/java", GOFLAGS: "-mod=mod", CI: "true", LC_ALL: "C.UTF-8", TZ: "UTC", CFLAGS: "-O2" },
      ...{
        http_proxy: "http://proxy:8080",
        NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
        GIT_AUTHOR_NAME: "n",
        NODE_ENV: "test",
      },
      ...{ CARGO_TERM_COLOR: "never", PYTHONPATH: "lib", npm_config_registry: "https://npm.example.com/" },
    };
    for (const [variables, named] of [
      [["*"], []],
      [["*", "MY_APP_*", "!CI"], ["MY_APP_PORT"]],
      [
        ["*", "DATABASE_URL", "MY_APP_PORT"],
        ["DATABASE_URL", "MY_APP_PORT"],
      ],
      [["*", "OPENAI_API_KEY"], []],
    ] as const)
      it(JSON.stringify(variables), async () => {
        const env = { ...TOOLS, ...SECRETS, MY_APP_PORT: "8080", MY_APP_KEY: password, OPENAI_API_KEY: password };
        box = new InSandbox({ env, shell: { variables: () => variables, looksSecret: holdsSecret } });
        const { out } = await box.run("env");
        const seen = new Set(out.split("\n").map(line => line.split("=")[0]));
        const tools = Object.keys(TOOLS).filter(name => !variables.some(text => text === `!${name}`));
        assert.deepEqual(
          Object.keys(env).filter(name => seen.has(name)),
          [...tools, ...named],
        );
      });
  });

  it("git: status, commit, branches, in the repository and in a worktree of another one", async () => {
    box = new InSandbox({ files: { "a.txt": "1\n", ".env": "SECRET\n", ".gitignore": ".env\n" } });
    await box.outside(
      `git init -q -b main && git add . && ${AS} commit -qm first && git worktree add -q ../tree -b side`,
    );
    await prints("git status --short; echo clean", "clean");
    await prints(`echo 2 >> a.txt && ${AS} commit -qam second && git log --oneline | wc -l`, "2");
    await prints("git checkout -qb other && git stash list && git branch | wc -l", "3");
    assert.equal((await box.outside("git log --oneline main..other; git fsck 2>&1 | grep -c error")).out.trim(), "0");
    const tree = join(box.base, "tree");
    const sandbox = new NodeSandbox({
      roots: () => [{ path: tree }],
      ownFolders: [],
      keep: join(box.base, "keep2"),
      home: box.home,
    });
    const shell = new NodeShell({ sandbox });
    let out = "";
    const more: ShellRun = {
      ...{
        command: `echo 3 >> a.txt && ${AS} commit -qam third && git status --short && git log --oneline | wc -l; git config a.b c`,
        cwd: tree,
      },
      ...{
        sandbox: { kind: "sandbox", network: [], access: "write" },
        timeoutMs: 30_000,
        signal: new AbortController().signal,
      },
      onOutput: (_, chunk) => {
        out += Buffer.from(chunk);
      },
    };
    await shell.run(more);
    await sandbox.close();
    assert.match(out, /^2\n.*(Read-only file system|could not lock config file)/s, out);
    assert.match((await box.outside("git log --oneline side | wc -l")).out, /^2/);
  });

  it("`npm test` of a small project, and Node's own tests", async () => {
    const scripts = { test: "node --test" };
    box = new InSandbox({
      files: {
        "package.json": JSON.stringify({ name: "x", version: "1.0.0", scripts }),
        "x.test.js": 'require("node:test")("adds", () => require("node:assert").equal(1 + 1, 2))',
      },
    });
    await prints("npm test", /pass 1/);
    mkdirSync(join(box.home, ".npm/_logs"), { recursive: true });
    await prints("npm test 2>&1", /^(?![\s\S]*(EROFS|npm error|logfile))[\s\S]*pass 1/);
  });

  it("what builds write into caches: the sandbox's own, kept, and never the person's", async () => {
    box = new InSandbox({ home: { ".cache/go-build/x": "theirs", ".cache/ms-playwright/chrome": "browser" } });
    await prints(
      "cat ~/.cache/ms-playwright/chrome; mkdir ~/.cache/go-build; echo built > ~/.cache/go-build/y; echo new > ~/.cache/tool",
      "browser",
    );
    await prints("cat ~/.cache/go-build/y ~/.cache/tool", "built\nnew");
    assert.deepEqual(readdirSync(join(box.home, ".cache")), ["go-build", "ms-playwright"]);
    assert.match((await box.run("echo x > ~/.cache/ms-playwright/chrome")).out, /Read-only/);
    box = new InSandbox();
    await prints("echo $XDG_CACHE_HOME; mkdir -p $XDG_CACHE_HOME && echo x > $XDG_CACHE_HOME/y", "/tmp/.cache");
  });

  it("temporary files stay from command to command, and are nobody else's", async () => {
    box = new InSandbox();
    await prints("echo mine > /tmp/strata-x; echo $TMPDIR", "/tmp");
    await prints("cat /tmp/strata-x; python3 -c 'import tempfile; print(tempfile.gettempdir())'", "mine\n/tmp");
    assert.equal(existsSync("/tmp/strata-x"), false);
  });

  it("where there is no folder for temporary files on this machine, one of Strata's", async () => {
    box = new InSandbox({ sandbox: { tmp: "/nowhere/at/all" } });
    await prints("echo mine > $TMPDIR/x; cat $TMPDIR/x", "mine");
  });

  it("100 MB of output", async () => {
    box = new InSandbox();
    let bytes = 0;
    const onOutput = (_: string, chunk: Uint8Array) => {
      bytes += chunk.length;
    };
    const ran = await box.run("head -c 100000000 /dev/zero", { onOutput });
    assert.deepEqual([ran.exitCode, bytes], [0, 100_000_000]);
  });

  it("what the shell leaves behind gets its moment, and is ended", async () => {
    box = new InSandbox();
    assert.deepEqual((({ out, leftBehind }) => [out, leftBehind])(await box.run("(sleep 0.1; echo late) & echo now")), [
      "now\nlate\n",
      false,
    ]);
    assert.equal((await box.run("sleep 60 & echo now")).leftBehind, true);
  });

  it("Stop and time-out: gently first, and whole", async () => {
    box = new InSandbox();
    const stop = new AbortController();
    let out = "";
    const ran = await box.run("trap 'echo tidied; exit' TERM; echo up; while :; do sleep 0.05; done", {
      signal: stop.signal,
      onOutput: (_, chunk) => {
        out += Buffer.from(chunk);
        if (out === "up\n") stop.abort();
      },
    });
    assert.deepEqual([ran.ended, ran.mayRunOn], ["aborted", false]);
    // what bash says of the sleep that was ended comes by its other stream: before or after, or not at all
    assert.equal(out.replace("Terminated\n", ""), "up\ntidied\n");
    await box.close();
    box = new InSandbox({ killAfterMs: 300 });
    const deaf = await box.run("trap '' TERM; (trap '' TERM; setsid sleep 600) & sleep 600", { timeoutMs: 300 });
    assert.deepEqual([deaf.ended, deaf.mayRunOn], ["timeout", false]);
  });

  it("background tasks: confined as they run, and ended", async () => {
    box = new InSandbox({ files: { ".env": "A=SECRET", ".git/HEAD": "ref: refs/heads/main\n" } });
    const tasks = backgroundTasks({ shell: box.shell, clock: nodeClock });
    const sandbox: SandboxPolicy = { kind: "sandbox", network: [], access: "write" };
    const command = "cat .env; echo x > ../x; echo up; exec sleep 600";
    const task = await tasks.start({ command, cwd: box.root, sandbox, callId: "c" });
    assert.equal(task.running, true);
    await new Promise<void>((resolve, reject) => {
      const ended = () => reject(new Error("it ended before it was stopped"));
      const seen = (text: string) => /\bup\b/.test(text) && resolve();
      seen(task.watch({ output: seen, ended }).text);
    });
    await task.stop("agent");
    const text = (await task.output.read())?.text ?? "";
    // Two streams come in any order.
    for (const said of [/\.env: Permission denied/, /Read-only file system/, /^up$/m]) assert.match(text, said);
    assert.equal(task.outcome?.mayRunOn, false);
    const evil = await tasks.start({
      command: "sleep 1; echo x > .git/commondir; sleep 600",
      cwd: box.root,
      sandbox,
      callId: "c",
    });
    await evil.ended;
    assert.equal(evil.outcome?.refused?.[0]?.path, join(box.root, ".git/commondir"));
    await tasks.close();
  });

  it("hosts that are allowed, by a proxy that programs know, and no others", async () => {
    const server = createServer((_, response) => response.end("REACHED"));
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    box = new InSandbox({ network: [`localhost:${port}`] });
    try {
      await prints(`curl -sS --noproxy '' http://localhost:${port}/x; exit 0`, "REACHED");
      const other = await box.run("curl -sS --noproxy '' http://127.0.0.1:9/; curl -sS https://example.com; exit 4");
      assert.match(other.out, /does not let commands reach 127\.0\.0\.1/);
      assert.match(other.out, /CONNECT tunnel failed, response 403|403/);
      assert.equal(other.exitCode, 4);
      assert.deepEqual(other.refusedHosts, ["127.0.0.1", "example.com"]);
      const around = await box.run(`cat < /dev/tcp/127.0.0.1/${port}; curl -sS --noproxy '*' http://localhost:${port}`);
      assert.doesNotMatch(around.out, /REACHED/);
    } finally {
      server.close();
    }
  });
});

describe("strata.bash.network", () => {
  for (const [entry, reached, refused] of [
    [
      "example.com",
      ["example.com:443", "example.com:80", "EXAMPLE.com:443"],
      ["a.example.com:443", "example.com:22", "example.com.evil.org:443"],
    ],
    ["*.example.com", ["a.example.com:443", "a.b.example.com:80"], ["example.com:443", "badexample.com:443"]],
    ["example.com:8443", ["example.com:8443"], ["example.com:443"]],
  ] as const)
    it(entry, () => {
      const check = (place: string) => {
        const [host = "", port] = place.split(":");
        return isAllowed({ host: host.toLowerCase(), port: Number(port) }, entry);
      };
      assert.deepEqual(
        reached.filter(place => !check(place)),
        [],
      );
      assert.deepEqual(refused.filter(check), []);
    });
});

describe("a sandbox that is not there", function () {
  this.timeout(30_000);
  let box: InSandbox;
  let program: string;
  afterEach(() => box?.close());
  const stateWith = async (script: string) => {
    box = new InSandbox({ program: script });
    program = join(box.base, "bwrap");
    return box.sandbox.state();
  };

  it("present, and forbidden by the kernel: its words are said, and no command runs", async () => {
    const state = await stateWith("echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
    assert.equal(state.kind, "missing");
    assert.match(
      state.kind === "missing" ? missingWords(state) : "",
      /does not work here: bwrap: No permissions to create/,
    );
    await assert.rejects(box.run("echo ran > out"), /No permissions to create new namespace/);
    assert.equal(existsSync(join(box.root, "out")), false);
  });

  it("present, and confining nothing: found out", async () => {
    const state = await stateWith('while [ "$1" != "--" ]; do shift; done; shift; exec "$@"');
    assert.match(JSON.stringify(state), /let a command write outside the workspace|did not take the network away/);
    assert.deepEqual(readdirSync(box.home), []);
  });

  it("what fails once is tried again, unseen; no command runs twice", async function () {
    await requireSandbox(this);
    await stateWith(
      '[ -e "$0.fails" ] && { rm "$0.fails"; echo "bwrap: gone" >&2; exit 1; }; exec /usr/bin/bwrap "$@"',
    );
    writeFileSync(`${program}.fails`, "");
    const ran = await box.run("echo once >> out; cat out; head -c 20000 /dev/zero >&62; exit 1");
    assert.deepEqual([ran.exitCode, ran.out], [1, "once\n"]);
  });

  it("one that is not installed is named with what gets it", async () => {
    assert.match(JSON.stringify(notInstalled("ID=ubuntu\nID_LIKE=debian\n")), /sudo apt install bubblewrap/);
    assert.match(JSON.stringify(notInstalled('ID="rhel"\n')), /sudo dnf install bubblewrap/);
    assert.match(JSON.stringify(notInstalled("")), /Install the package bubblewrap/);
    box = new InSandbox({ sandbox: { platform: "win32" } });
    assert.match(JSON.stringify(await box.sandbox.state()), /no sandbox for commands on Windows/);
    await assert.rejects(box.run("echo x"), /no sandbox for commands on Windows/);
  });

  it("what forbids it is named with what allows it", () => {
    const words = "bwrap: setting up uid map: Permission denied";
    const at = (files: Record<string, string>) =>
      JSON.stringify(notAllowed(words, { read: path => files[path] ?? "", exists: path => path in files }));
    assert.match(at({ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n" }), /bwrap-userns-restrict/);
    assert.match(
      at({ "/proc/sys/kernel/unprivileged_userns_clone": "0\n" }),
      /sysctl -w kernel\.unprivileged_userns_clone=1/,
    );
    assert.match(at({ "/proc/sys/user/max_user_namespaces": "0" }), /max_user_namespaces=15000/);
    assert.match(at({ "/.dockerenv": "" }), /container/);
    assert.match(at({}), /forbids the namespaces/);
  });

  it("a shell without one refuses what is to run in one", async () => {
    const shell = new NodeShell();
    const run = { command: "echo x", cwd: "/", signal: new AbortController().signal, onOutput: () => undefined };
    await assert.rejects(
      shell.run({ ...run, sandbox: { kind: "sandbox", network: [], access: "write" } }),
      /there is no sandbox here/,
    );
  });
});
