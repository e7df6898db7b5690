import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsSchema } from "../../src/shared/settings";
import { type CommandLine, parseCommand } from "../../src/terminal/args";
import { UsageError } from "../../src/terminal/argValues";
import { environmentVariable, loadSettings, SettingsError } from "../../src/terminal/settings";
import { temporaryFolder } from "../fakes/temporary";

const check = (line: string[], expected: CommandLine) => assert.deepEqual(parseCommand(line), expected);
const refuse = (line: string[], message: RegExp) =>
  assert.throws(
    () => parseCommand(line),
    (error: Error) => error instanceof UsageError && message.test(error.message),
  );

describe("command line", () => {
  it("reads run", () => {
    check(["run", "--prompt", "fix it"], {
      kind: "run",
      workspace: ".",
      json: false,
      prompt: "fix it",
      continue: false,
      trust: false,
    });
    check(
      "run --workspace w --prompt p --session s --model m --provider anthropic --base-url u --mode edits --storage d --max-steps 3 --trust --json".split(
        " ",
      ),
      {
        kind: "run",
        workspace: "w",
        storage: "d",
        json: true,
        prompt: "p",
        continue: false,
        trust: true,
        session: "s",
        model: "m",
        provider: "anthropic",
        baseUrl: "u",
        mode: "edits",
        limits: { steps: 3 },
      },
    );
  });
  it("reads the others", () => {
    check(["sessions", "--json"], { kind: "sessions", workspace: ".", json: true, size: false });
    check(["show", "ses_1"], { kind: "show", workspace: ".", json: false, session: "ses_1" });
    const recall = { kind: "recall" as const, workspace: ".", json: false, session: "s" };
    check(["recall", "obs:3fa9c1d2e4b5", "--session", "s"], { ...recall, handle: "obs:3fa9c1d2e4b5" });
    check(["recall", "obs:3fa9c1d2e4b5", "--lines", "2-9", "--session", "s"], {
      ...recall,
      handle: "obs:3fa9c1d2e4b5",
      lines: { first: 2, last: 9 },
    });
    check(["recall", "--query", "two words", "--session", "s"], { ...recall, query: "two words" });
    const show = { kind: "show" as const, workspace: ".", json: false, session: "ses_1" };
    check(["show", "ses_1", "--request", "3"], { ...show, request: 3 });
    check(["show", "ses_1", "--request", "-1", "--json"], { ...show, request: -1, json: true });
    check(["show", "--request=-12", "ses_1"], { ...show, request: -12 });
    check(["verify", "ses_1", "--json"], { kind: "verify", workspace: ".", json: true, session: "ses_1" });
    const common = { workspace: ".", json: false };
    check(["proof", "check", "p.json", "--log", "x"], { kind: "proofCheck", ...common, file: "p.json", log: "x" });
    check(["report", "a", "b"], { kind: "report", ...common, dirs: ["a", "b"], markdown: false });
    check(["list", "--size"], { kind: "sessions", ...common, size: true });
    const agent = { ...common, session: "s", trust: false };
    const run = { kind: "run" as const, ...agent, continue: false };
    check(["compact", "s"], { ...run, prompt: "/compact" });
    check(["compact", "s", "keep the", "names", "--model", "m"], {
      ...run,
      prompt: "/compact keep the names",
      model: "m",
    });
    check(["compact", "s", "--preview", "--trust"], { kind: "compact", ...agent, trust: true });
    check(["undo", "s", "--json"], { ...run, prompt: "/undo", json: true });
    check(["redo", "s"], { ...run, prompt: "/redo" });
    check(["export", "s"], { kind: "export", ...common, session: "s", force: false });
    const file = { session: "s", file: "a b.strata.jsonl" };
    check(["export", "s", "a b.strata.jsonl", "--force"], { kind: "export", ...common, ...file, force: true });
    check(["export", "s", "--atif"], { kind: "export", ...common, session: "s", force: false, atif: true });
    check(["export", "s", "-"], { kind: "export", ...common, session: "s", file: "-", force: false });
    check(["import", "f", "--storage", "d"], { kind: "import", ...common, storage: "d", file: "f" });
    check(["remove", "a", "b", "a"], { kind: "remove", ...common, sessions: ["a", "b"], yes: false });
    check(["remove", "a", "--yes"], { kind: "remove", ...common, sessions: ["a"], yes: true });
    check(["--help"], { kind: "help" });
    check(["--version"], { kind: "version" });
  });
  it("says what is wrong", () => {
    refuse([], /run, list, show, compact/);
    refuse(["proof", "check"], /strata proof check FILE/);
    refuse(["verify"], /Name the session: strata verify ID/);
    for (const number of ["0", "-0", "x", "1.5"])
      refuse(["show", "s", "--request", number], /1 is the first, -1 the last/);
    refuse(["show", "s", "--request"], /--request/);
    refuse(["fly"], /no command "fly"/);
    refuse(["run"], /prompt is empty/);
    refuse(["run", "--prompt", "  "], /prompt is empty/);
    refuse(["run", "--prompt", "a", "b"], /in quotes/);
    refuse(["run", "--prompt", "a", "--mode", "yolo"], /plan, ask, edits, auto/);
    refuse(["run", "--prompt", "a", "--max-steps", "0"], /whole number/);
    refuse(["run", "--prompt", "a", "--session", "s", "--continue"], /exclude/);
    refuse(["run", "--nope"], /nope/);
    refuse(["run", "--carry-out"], /Say which session's plan/);
    refuse(["run", "--plan", ""], /Name the file/);
    refuse(["run", "--plan", "p.md", "--mode", "plan"], /plan mode/i);
    refuse(["run", "--plan", "p.md", "--prompt", "x"], /without --prompt/);
    refuse(["show"], /Name the session/);
    for (const name of ["compact", "undo", "redo"]) refuse([name], new RegExp(`Name the session: strata ${name} ID`));
    refuse(["compact", "s", "--preview", "--json"], /no --json/);
    refuse(["export"], /Name the session: strata export ID/);
    refuse(["export", "a", "b", "c"], /one session and one file/);
    refuse(["import"], /Name the file/);
    refuse(["import", "-"], /Name the file/);
    refuse(["import", "a", "b"], /one file after the other/);
    refuse(["remove"], /Name the session: strata remove ID/);
    for (const command of ["show", "verify", "undo", "redo"]) refuse([command, "a", "b"], /"b" is not expected here/);
    refuse(["list", "a"], /"a" is not expected here/);
    refuse(["report"], /Name the folders/);
    refuse(["report", "a", "--json", "--markdown"], /exclude/);
    refuse(["constructor"], /There is no command "constructor"/);
    refuse(["compact", "a", "--previw"], /^There is no option --previw\. Did you mean --preview\?$/);
    refuse(["lst"], /^There is no command "lst"\. Did you mean list\?$/);
    refuse(["show", "a", "--request"], /^--request needs a value after it\.$/);
    refuse(["recall", "--query", "--session", "s"], /^--query needs a value after it\.$/);
    refuse(["list", "--json=1"], /^--json takes no value\.$/);
    refuse(["list", "-x"], /^There is no option -x\./);
    refuse(["recall", "obs:1234"], /Name the session with --session/);
    refuse(["recall", "--session", "s"], /a handle .* or words/);
    refuse(["recall", "obs:1234", "--query", "x", "--session", "s"], /one of them/);
    refuse(["recall", "--query", "x", "y", "--session", "s"], /one of them/);
    refuse(["recall", "obs:1234", "y", "--session", "s"], /in quotes/);
    refuse(["recall", "--query", "x", "--lines", "1", "--session", "s"], /name its handle/);
    refuse(["recall", "obs:1234", "--lines", "9-1", "--session", "s"], /10-40/);
    refuse(["recall", "obs:1234", "--json", "--session", "s"], /no --json/);
  });
});

describe("settings outside the editor", () => {
  const defaults = settingsSchema.parse({});
  let warnings: string[] = [];
  beforeEach(() => {
    warnings = [];
  });
  function load(user: string, workspace: string, env: Record<string, string> = {}, flags = {}, trusted = true) {
    const folder = temporaryFolder("settings");
    mkdirSync(join(folder, "ws/.vscode"), { recursive: true });
    if (user) writeFileSync(join(folder, "settings.json"), user);
    if (workspace) writeFileSync(join(folder, "ws/.vscode/settings.json"), workspace);
    return loadSettings({
      configDir: folder,
      ...(trusted ? { trustedWorkspace: join(folder, "ws") } : {}),
      env,
      flags,
      warn: text => warnings.push(text),
    }).get();
  }
  const set = (name: string, value: unknown) =>
    `{ // comment\n "editor.tabSize": 2, "strata.${name}": ${JSON.stringify(value)}, }`;

  it("takes the editor's encoding of files from the workspace, where it is trusted, else from the person's own", () => {
    const folder = temporaryFolder("encoding");
    const own = join(folder, "settings.json");
    const workspace = join(folder, "ws/.vscode/settings.json");
    mkdirSync(join(folder, "ws/.vscode"), { recursive: true });
    writeFileSync(own, '{ "files.encoding": "shiftjis" }');
    writeFileSync(workspace, '{ // comment\n "files.encoding": "gbk", }');
    const read = (trusted: boolean) =>
      loadSettings({
        configDir: folder,
        ...(trusted && { trustedWorkspace: join(folder, "ws") }),
        ...{ env: {}, flags: {}, warn: () => undefined },
      }).filesEncoding;
    assert.deepEqual([read(true), read(false)], ["gbk", "shiftjis"]);
    writeFileSync(workspace, '{ "files.encoding": 3 }');
    assert.equal(read(true), "shiftjis");
  });

  it("has defaults, and later sources win", () => {
    assert.deepEqual(load("", ""), defaults);
    assert.equal(load(set("model.name", "a"), "")["model.name"], "a");
    assert.equal(load(set("model.name", "a"), set("model.name", "b"))["model.name"], "b");
    assert.equal(load("", set("model.name", "b"), { STRATA_MODEL_NAME: "c" })["model.name"], "c");
    assert.equal(load("", "", { STRATA_MODEL_NAME: "c" }, { "model.name": "d" })["model.name"], "d");
  });
  const misspelt: [written: string, meant: string | undefined][] = [
    ['"strata.model.nmae": "x"', "model.name"],
    ['"strata.permission.mode": "plan"', "permissions.mode"],
    ['"strata": { "modle": { "name": "x" } }', "model.name"],
    ['"strata.model": { "nmae": "x", "name": "y" }', "model.name"],
    ['"strata.somethingElse": 1', undefined],
  ];
  for (const [written, meant] of misspelt)
    for (const where of ["user", "workspace"] as const)
      it(`names a setting that does not exist, of the ${where}: ${written}`, () => {
        warnings.length = 0;
        if (where === "user") load(`{ ${written} }`, "");
        else load("", `{ ${written} }`);
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? "", /^strata\.\S+ in \S+settings\.json has no effect/);
        assert.equal(/Did you mean strata\.(\S+)\?$/.exec(warnings[0] ?? "")?.[1], meant);
      });
  it("reads a name that is written nested, as VS Code does, and says nothing of settings of others", () => {
    warnings.length = 0;
    const nested =
      '{ "strata": { "model": { "name": "a" } }, "strata.model": { "contextWindow": 5000 }, "stratas.x": 1 }';
    const { "model.name": name, "model.contextWindow": window } = load(nested, "");
    assert.deepEqual([name, window, warnings], ["a", 5000, []]);
  });

  it("takes lists, and hosts that are hosts; a workspace sets nothing of the sandbox", () => {
    assert.deepEqual(load(set("bash.network", ["a.org", "*.b.org:8443"]), "")["bash.network"], [
      "a.org",
      "*.b.org:8443",
    ]);
    assert.deepEqual(load("", "", { STRATA_BASH_NETWORK: "a.org, b.org" })["bash.network"], ["a.org", "b.org"]);
    for (const host of ["https://a.org", "a.org/x", "*", "a b", ""])
      assert.throws(
        () => load(set("bash.network", [host]), ""),
        /strata\.bash\.network in .* a host is written as/,
        host,
      );
    for (const [name, value] of [
      ["bash.sandbox", "off"],
      ["bash.network", ["a.org"]],
      ["bash.read", ["~/tools"]],
      ["bash.env", ["X"]],
    ] as const)
      assert.deepEqual(load("", set(name, value)), defaults);
  });
  it("takes from a workspace a model's name, and not whose it is", () => {
    const name = "google:gemini-x";
    assert.deepEqual(load(set("model.name", "a"), set("model.name", name)), { ...defaults, "model.name": "a" });
    assert.equal(load(set("model.name", name), "")["model.name"], name);
  });
  it("reads no settings of a workspace that is not trusted", () =>
    assert.deepEqual(load("", set("permissions.mode", "auto"), {}, {}, false), defaults));
  it("takes from a trusted workspace nothing that sends the key elsewhere or asks less, and says so once", () => {
    const values = {
      "model.baseUrl": "http://attacker.example/v1",
      "permissions.mode": "auto",
      "log.payload": "not even valid",
      "model.name": "b",
    };
    const file = JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, v]) => [`strata.${name}`, v])));
    assert.deepEqual(load(set("permissions.mode", "plan"), file), {
      ...defaults,
      "model.name": "b",
      "permissions.mode": "plan",
    });
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? "",
      /Ignored in .*ws\/\.vscode\/settings\.json: strata\.model\.baseUrl, strata\.permissions\.mode, strata\.log\.payload\./,
    );
    load("", file, {}, {}, false);
    load("", set("bash.timeoutSeconds", 5));
    assert.equal(warnings.length, 1);
  });
  it("reads variables as what they are", () => {
    assert.equal(environmentVariable("model.baseUrl"), "STRATA_MODEL_BASE_URL");
    assert.equal(environmentVariable("model.maxOutputTokens"), "STRATA_MODEL_MAX_OUTPUT_TOKENS");
    const settings = load("", "", {
      STRATA_AGENT_MAX_STEPS: "7",
      STRATA_EDITS_SAVE: "false",
      OPENAI_BASE_URL: "http://x/v1",
    });
    assert.deepEqual(
      [settings["agent.maxSteps"], settings["edits.save"], settings["model.baseUrl"]],
      [7, false, "http://x/v1"],
    );
  });
  it("names the place of a setting that cannot be used", () => {
    const refuse = (run: () => unknown, message: RegExp) =>
      assert.throws(run, (error: Error) => error instanceof SettingsError && message.test(error.message));
    refuse(() => load(set("permissions.mode", "yolo"), ""), /strata\.permissions\.mode in .*settings\.json/);
    refuse(() => load("", "", { STRATA_AGENT_MAX_STEPS: "many" }), /strata\.agent\.maxSteps in the environment/);
    refuse(() => load("{ nope", ""), /not valid JSON/);
  });
});
