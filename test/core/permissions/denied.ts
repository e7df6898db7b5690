/** Pairs of a refused call and a later one (bench/corpora/denials.json), decided about as Strata would, whatever else allows the later one. */
import { planCommand } from "../../../src/core/commands/commandPlan";
import { denialFacts } from "../../../src/core/permissions/denials";
import { decide } from "../../../src/core/permissions/policy";
import { parseRules } from "../../../src/core/permissions/rules";
import type { Action, PolicyState, Verdict } from "../../../src/core/permissions/verdict";
import { toolTraits } from "../../../src/shared/toolTraits";
import { MemoryFiles } from "../../fakes/files";

/** A command, or a tool with the path or the input that it is given. */
export type DeniedCall = string | Readonly<Record<string, unknown>>;

export interface DenialCase {
  denied: DeniedCall;
  then: DeniedCall;
  /** texts of the workspace beside what is always there */
  files?: Record<string, string>;
  expect: "asks" | "runs";
}

const WORKSPACE = {
  ...{ "data/a.csv": "a", "data/b.csv": "b", "data2/a.csv": "a", "src/a.ts": "a", "src/b.ts": "b" },
  ...{ "README.md": "#", ".git/HEAD": "ref: refs/heads/main", ".git/config": "", ".git/objects/x": "" },
};

/** The call as it would be asked about. */
export async function actionOf(call: DeniedCall, files: MemoryFiles): Promise<Action> {
  const base = { targets: [], namesSecret: false, toolName: "Bash" };
  const cwd = "/ws/app";
  if (typeof call === "string") {
    const { facts } = await planCommand(call, cwd, files);
    const detail = { type: "command" as const, command: call, cwd };
    return { ...base, effects: ["command"], detail, command: facts, input: { command: call }, confined: "offline" };
  }
  const [[toolName = "", input] = []] = Object.entries(call);
  const { rules } = toolTraits(toolName);
  if (typeof input === "string") {
    const target = await files.resolve(input);
    const isEdit = rules === "editFiles";
    const detail = isEdit ? { type: "edit" as const, changes: [] } : { type: "read" as const, paths: [target.path] };
    return { ...base, toolName, effects: [isEdit ? "edit" : "read"], targets: [target], detail, input };
  }
  const effects = toolName === "RunTask" ? (["command"] as const) : (["network"] as const);
  return { ...base, toolName, effects, detail: { type: "other", summary: "", input: input as never }, input };
}

const rules = parseRules({ allow: ["Bash(*)", "Edit", "*:*", "RunTask"], ask: [], deny: [] });
export const passes: Readonly<Record<string, Partial<PolicyState> & { sandbox: boolean }>> = {
  "an allow rule": { rules, sandbox: true },
  "no sandbox": { rules, sandbox: false },
  runEverything: { runEverything: true, sandbox: true },
};

export const inAuto: PolicyState = {
  ...{ mode: "auto", trusted: true, ownFolders: [], grants: [], rules: [] },
  ...{ runEverything: false, trustsAllContent: true },
};

/** What becomes of the later call, with and without the refusal. */
export async function afterDenial({ denied, then, files = {} }: DenialCase, pass: keyof typeof passes) {
  const disk = new MemoryFiles({ app: { ...WORKSPACE, ...files } });
  for (const folder of ["/etc", "/tmp", disk.home]) disk.mkdir(folder);
  const facts = denialFacts(await actionOf(denied, disk));
  const { sandbox, ...given } = passes[pass] ?? { sandbox: true };
  const { confined, ...action } = await actionOf(then, disk);
  const denials = facts ? [{ denialId: "d1", title: "the denied call", facts }] : [];
  const state: PolicyState = { ...inAuto, ...given };
  const now = { ...action, ...(sandbox && confined && { confined }) };
  const verdict: Verdict = decide(now, { ...state, denials });
  return { verdict, before: decide(now, state), facts };
}
