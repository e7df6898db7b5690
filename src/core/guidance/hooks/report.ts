/** What hooks there are, for people: where from, agreed to or not, broken. */
import { defined } from "../../../shared/defined";
import { inARow, namesText } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import type { BrokenFile, Hash, Hooks } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import type { Report } from "../../ground/text/report";
import { type Hook, type HookSet, readHooks } from "./entry";
import { agreementTo } from "./sessionHooks";

export interface HookFileView {
  /** for people */
  path: string;
  /** of a workspace's: what an agreement is kept by; absent: the person's own, which needs none */
  key?: string;
  /** a workspace's file without approval: its hooks do not run */
  waits: boolean;
  /** A workspace's start in the sandbox, but for those whose entry says otherwise. */
  isConfined?: true;
  /** it has `disableAllHooks` */
  switchesOff: boolean;
  hooks: readonly Hook[];
  /** why hooks do not run, and fields without effect: sentences */
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
  const isTooMuch = typeof agreed === "string";
  const { key, names = [] } = isTooMuch || !agreed ? {} : agreed;
  const pretty = exact === "" ? "" : JSON.stringify(JSON.parse(exact), null, 2);
  return {
    path: file.path,
    hooks: isTooMuch ? [] : set.hooks,
    problems: [...(isTooMuch ? [t("Nothing of it runs. {0}", agreed)] : []), ...problems, ...notes],
    switchesOff,
    exact: pretty,
    scripts: names,
    ...(isAsked && (await hooks.around?.())?.kind === "sandbox" && { isConfined: true }),
    ...defined({ key }),
    waits: key !== undefined && !(await hooks.hasAgreed(key)),
  };
}

export const hooksReport = ({ files, broken }: HooksView): Report => ({
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
      lines: hookLines(file).map(label => ({ label })),
      warnings: file.problems,
    })),
    ...broken.map(({ path, problem }) => ({ title: path, lines: [], warnings: [problem] })),
  ],
});

export const hookLines = ({ hooks, scripts }: HookFileView): string[] => [
  ...hooks.map(hookLabel),
  ...(scripts.length > 0 ? [t("with {0}", oneLine(namesText(scripts), MAX_SCRIPTS))] : []),
];

/** characters */
const MAX_SCRIPTS = 500;

export function hooksState({ waits, switchesOff }: HookFileView): string {
  if (switchesOff) return t("switched off");
  return waits ? t("needs approval") : t("runs");
}

function hookLabel(hook: Hook): string {
  const { event, matcher, command } = hook;
  const facts = hookFacts(hook).map(fact => ` [${fact}]`);
  return `${event}${matcher === "" ? "" : ` ${matcher}`}${facts.join("")}: ${command}`;
}

/** What of a hook its command does not show: "if Bash(git *)", "runs beside". */
export const hookFacts = ({ condition, background, once, failsClosed, outside }: Hook): string[] => [
  ...(condition ? [t("if {0}", condition.text)] : []),
  ...(background ? [t("in the background, decides nothing")] : []),
  ...(once ? [t("once a session")] : []),
  ...(failsClosed ? [t("denies if it fails")] : []),
  ...(outside ? [t("outside the sandbox")] : []),
];
