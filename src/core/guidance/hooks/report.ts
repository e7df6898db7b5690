/** What hooks there are, for people: where from, agreed to or not, broken; and a run by hand that changes nothing. */

import { defined } from "../../../shared/defined";
import { inARow, namesText } from "../../../shared/format";
import type { HookEvent } from "../../../shared/hookEvents";
import type { HookRun } from "../../../shared/hooks";
import { plural, t } from "../../../shared/l10n";
import type { BrokenFile, Hash, Hooks, Shell } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import type { Report } from "../../ground/text/report";
import { type HookAnswer, readAnswer } from "./answer";
import { toldIn } from "./copilot";
import type { Hook } from "./entry";
import { type HookSet, readHooks } from "./format";
import { toolNames } from "./matcher";
import { placeOf, runHook } from "./runHook";
import { agreementTo, isFor } from "./sessionHooks";

export interface HookFileView {
  /** for people */
  path: string;
  /** of a workspace's: what an agreement is kept by; absent: the person's own, which needs none */
  key?: string;
  /** a workspace's file that nobody agreed to: nothing of it runs */
  waits: boolean;
  /** A workspace's start in the sandbox, but for those whose entry says otherwise. */
  isConfined?: true;
  /** `disableAllHooks` stands in it */
  switchesOff: boolean;
  hooks: readonly Hook[];
  /** what of it does not run, and why, and what of it does nothing here: sentences */
  problems: readonly string[];
  /** all that an agreement is for, as it would be shown; "" where there is nothing */
  exact: string;
  /** of the workspace, which an agreement is for, too */
  scripts: readonly string[];
}

export interface HooksView {
  files: HookFileView[];
  broken: readonly BrokenFile[];
}

/** Files without anything about hooks are left out. Never rejects. */
export async function lookAtHooks(hooks: Hooks, hash: Hash): Promise<HooksView> {
  const { files, broken } = await hooks.read();
  const views = await Promise.all(files.map(file => fileView(readHooks(file), hooks, hash)));
  const isEmpty = (view: HookFileView) => view.hooks.length + view.problems.length === 0 && !view.switchesOff;
  return { files: views.filter(view => !isEmpty(view)), broken };
}

async function fileView(set: HookSet, hooks: Hooks, hash: Hash): Promise<HookFileView> {
  const { file, problems, notes, switchesOff, exact } = set;
  const own = file.folder === undefined;
  const isAsked = !own && set.hooks.length > 0;
  const agreed = isAsked ? await agreementTo(set, hooks, hash) : undefined;
  const tooMuch = typeof agreed === "string" ? agreed : undefined;
  const found = typeof agreed === "string" ? undefined : agreed;
  const key = found?.key;
  const pretty = exact === "" ? "" : JSON.stringify(JSON.parse(exact), null, 2);
  return {
    path: file.path,
    hooks: tooMuch === undefined ? set.hooks : [],
    problems: [...(tooMuch === undefined ? [] : [t("Nothing of it runs. {0}", tooMuch)]), ...problems, ...notes],
    switchesOff,
    exact: pretty,
    scripts: found?.names ?? [],
    ...(isAsked && (await hooks.around?.())?.kind === "sandbox" && { isConfined: true }),
    ...defined({ key }),
    waits: key !== undefined && !(await hooks.hasAgreed(key)),
  };
}

/** Moments that are about a call, and have the name of a tool to choose by. */
export const isAboutCalls = (event: HookEvent): boolean => event === "PreToolUse" || event === "PostToolUse";

/** @param call its tool, and what the tool is given; absent: whatever hooks are for */
export function matching(
  { files }: HooksView,
  event: HookEvent,
  call: { tool?: string | undefined; input?: unknown; folder?: string | undefined } = {},
): { hook: Hook; file: HookFileView }[] {
  const { tool, input, folder = "/" } = call;
  const moment = { event, ...(tool !== undefined && { names: toolNames(tool), input }) };
  return files.flatMap(file =>
    file.hooks.filter(hook => isFor(hook, moment, hook.folder ?? folder)).map(hook => ({ hook, file })),
  );
}

/** What there is, with the files as what can be agreed to; a run by hand beside it. */
export const hooksReport = ({ files, broken }: HooksView): Report<HookFileView | "dryRun"> => ({
  title: t("Hooks"),
  lead: t("No hooks yet. Add them to .claude/settings.json, .strata/hooks.json or .github/hooks in a workspace."),
  sections: [
    ...files.map(file => ({
      title: file.path,
      from: inARow([
        plural(file.hooks.length, "1 hook", "{0} hooks"),
        hooksState(file),
        ...(file.isConfined ? [t("in the sandbox")] : []),
      ]),
      lines: [
        ...file.hooks.map(hook => ({ label: hookLabel(hook) })),
        ...(file.scripts.length > 0 ? [{ label: t("with {0}", oneLine(namesText(file.scripts), MAX_SCRIPTS)) }] : []),
      ],
      warnings: file.problems,
      action: file,
    })),
    ...broken.map(({ path, problem }) => ({ title: path, lines: [], warnings: [problem] })),
  ],
  actions: [{ label: t("Dry run…"), detail: t("Try which hooks would run, and what they return"), action: "dryRun" }],
});

/** characters */
const MAX_SCRIPTS = 500;

export function hooksState({ waits, switchesOff }: HookFileView): string {
  if (switchesOff) return t("switched off");
  return waits ? t("not approved") : t("runs");
}

function hookLabel(hook: Hook): string {
  const { event, matcher, command } = hook;
  const facts = hookFacts(hook).map(fact => ` [${fact}]`);
  return `${event}${matcher === "" ? "" : ` ${matcher}`}${facts.join("")}: ${command}`;
}

/** What of a hook its command does not show: "if Bash(git *)", "runs beside". */
export const hookFacts = ({ condition, beside, once, failsClosed, outside }: Hook): string[] => [
  ...(condition ? [t("if {0}", condition.text)] : []),
  ...(beside ? [t("in the background, decides nothing")] : []),
  ...(once ? [t("once a session")] : []),
  ...(failsClosed ? [t("denies if it fails")] : []),
  ...(outside ? [t("outside the sandbox")] : []),
];

export interface HookTrial {
  /** nobody waits for it, and what it says decides nothing */
  beside: boolean;
  outcome: HookRun["outcome"];
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** what Strata makes of it */
  answer: HookAnswer;
}

/**
 * Runs a hook with sample input and ignores its answer. Its own effects are real.
 * @param fields beside those that every hook gets; a tool's hooks get `tool_name` and `tool_input`
 */
export async function tryHook(
  hook: Hook,
  { folder, fields }: { folder: string; fields: Record<string, unknown> },
  { shell, hooks }: { shell: Shell; hooks: Hooks },
  signal: AbortSignal,
): Promise<HookTrial> {
  const common = { session_id: "dry-run", transcript_path: "", cwd: folder, permission_mode: "default" };
  const told = { ...common, hook_event_name: hook.event, ...sample(hook.event), ...fields };
  const input = `${JSON.stringify(hook.dialect ? toldIn(hook.dialect, told, 0) : told)}\n`;
  const sandbox = await placeOf(hook, hooks);
  const ended = await runHook(hook, { input, folder: hook.folder ?? folder, sandbox }, shell, signal);
  const answer = readAnswer(hook, ended);
  const { exitCode, stdout, stderr } = ended;
  return { beside: hook.beside ?? false, outcome: answer.outcome, exitCode, stdout, stderr, answer };
}

function sample(event: HookEvent): Record<string, unknown> {
  const samples: Record<HookEvent, Record<string, unknown>> = {
    SessionStart: { source: "startup" },
    UserPromptSubmit: { prompt: "A dry run of this hook." },
    PreToolUse: { tool_name: "Bash", tool_input: { command: "echo dry run" } },
    PostToolUse: {
      tool_name: "Bash",
      tool_input: { command: "echo dry run" },
      tool_response: { success: true, output: "dry run" },
    },
    PreCompact: { trigger: "manual", custom_instructions: "" },
    PostCompact: { trigger: "manual" },
    Stop: { stop_hook_active: false },
    Notification: { message: "A dry run of this hook.", notification_type: "permission_prompt" },
    SessionEnd: { reason: "other" },
  };
  return samples[event];
}

/** One that would run, and what it said if it was run. */
export function triedReport({ hook, file }: { hook: Hook; file: HookFileView }, tried?: HookTrial): Report {
  const outputs = tried ? [...printed(t("Output"), tried.stdout), ...printed(t("Error output"), tried.stderr)] : [];
  const lines = tried ? [{ label: oneLine(triedLine(tried), 2_000) }, ...outputs] : [];
  const from = `${file.path}, ${hooksState(file)}`;
  return { title: t("Dry run of a hook"), sections: [{ title: hookLabel(hook), from, lines }] };
}

const printed = (label: string, text: string) =>
  text.trim() === "" ? [] : [{ label, text: text.trim().slice(0, 10_000) }];

/** What becomes of it, in a line. */
function triedLine({ beside, exitCode, answer }: HookTrial): string {
  const said = triedWords({ ...answer, beside });
  return exitCode === null ? said : t("{0} (exit code {1})", said, exitCode);
}

function triedWords({
  beside,
  outcome,
  decision,
  reason = "",
  text,
  context,
  updatedInput,
}: HookTrial["answer"] & Pick<HookTrial, "beside">): string {
  if (beside && (decision || updatedInput)) return t("It runs in the background and decides nothing.");
  if (decision === "deny") return t("It denies the call: {0}", reason);
  if (decision === "ask") return t("It asks for your approval: {0}", reason);
  if (decision === "allow") return t("It allows the call. Rules and protected files still apply.");
  if (updatedInput) return t("It changes the input: {0}", JSON.stringify(updatedInput));
  if (outcome === "timeout") return t("It timed out and would change nothing.");
  if (outcome !== "ok") return t("It failed and would change nothing. {0}", text);
  return context ? t("It tells the model: {0}", context) : t("It returns nothing.");
}
