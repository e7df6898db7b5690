/** The decision about a command without running it: `strata permit`, and the view of permissions. */
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import { forbiddenWords } from "../../shared/outcomeSaid";
import type { Files, Sandbox, SettingsSource, Shell } from "../ground/ports";
import { rulesInForce } from "../permissions/levels";
import { decide } from "../permissions/policy";
import type { PolicyState, RuleOrigin, Verdict } from "../permissions/verdict";
import { planCommand } from "./commandPlan";

export interface TriedCommand extends Pick<Verdict, "decision" | "by" | "rule"> {
  from?: RuleOrigin;
  /** in words, "" where there is nothing to add */
  reason: string;
  /** the same with the rule and its place, where it does not name them */
  why: string;
  /** each program in it, and whether it changes anything */
  programs: { command: string; effect: string }[];
}

/** Where it would run, and what decides about it. */
export interface InForce {
  /** absolute, '/' separators */
  cwd: string;
  files: Files;
  shell: Pick<Shell, "doubtOf">;
  settings: SettingsSource;
  ownFolders: readonly string[];
  /** what would confine a command; absent: nothing does */
  sandbox?: Sandbox | undefined;
}

/** By the settings and the sandbox that are here, with nothing allowed for a session. */
export async function tryInForce(
  command: string,
  { cwd, files, shell, settings, ownFolders, sandbox }: InForce,
  { mode, trusted }: Pick<PolicyState, "mode" | "trusted">,
): Promise<TriedCommand> {
  const set = settings.get();
  const isThere = set["bash.sandbox"] !== "off" && (await sandbox?.state())?.kind === "ready";
  const confined = !isThere ? undefined : set["bash.network"].length > 0 ? "online" : "offline";
  const { facts } = await planCommand(command, cwd, files, shell);
  const verdict = decide(
    {
      toolName: "Bash",
      effects: ["command"],
      targets: [],
      namesSecret: false,
      detail: { type: "command", command, cwd },
      command: facts,
      input: { command },
      ...defined({ confined }),
    },
    {
      ...{ mode, trusted, ownFolders, grants: [], rules: rulesInForce(settings), trustsAllContent: true },
      runEverything: set["permissions.runEverything"],
    },
  );
  const { decision, by, rule, from } = verdict;
  const reason = reasonOf(verdict);
  return {
    ...{ decision, by, ...defined({ rule, from }), reason },
    why: rule === undefined || reason.includes(rule) ? reason : withRule(reason, rule, from?.place),
    programs: facts.parts.map(({ shown, effect }) => ({ command: shown, effect })),
  };
}

function reasonOf(verdict: Verdict): string {
  if (verdict.reason !== undefined) return forbiddenWords(verdict.reason);
  if (verdict.by === "sandbox" && verdict.access === "read") return t("it runs in the sandbox, where it can only read");
  return explanations()[verdict.by] ?? "";
}

const explanations = (): Partial<Record<Verdict["by"], string>> => ({
  reads: t("it only reads"),
  sandbox: t("it runs in the sandbox"),
  rule: t("each program in it is allowed"),
  mode: t("the mode says so"),
});

const withRule = (reason: string, rule: string, place: string | undefined): string =>
  place === undefined ? t("{0} (rule {1})", reason, rule) : t("{0} (rule {1} in {2})", reason, rule, place);
