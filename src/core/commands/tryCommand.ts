/** The decision about a command without running it: `strata permit`, and the view of permissions. */
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { Files, Sandbox, SettingsSource, Shell } from "../ground/ports";
import { rulesInForce } from "../permissions/levels";
import { decide } from "../permissions/policy";
import type { Action, PolicyState, RuleOrigin, Verdict } from "../permissions/verdict";
import { planCommand } from "./commandPlan";

export interface TriedCommand extends Pick<Verdict, "decision" | "by" | "rule"> {
  from?: RuleOrigin;
  /** in words, "" where there is nothing to add */
  reason: string;
  /** each program in it, and whether it changes anything */
  programs: { command: string; effect: string }[];
}

/** Where it would run. */
interface TriedPlace {
  /** absolute, '/' separators */
  cwd: string;
  files: Files;
  shell: Pick<Shell, "doubtOf">;
}

/** What decides about it. */
export interface InForce extends TriedPlace {
  settings: SettingsSource;
  ownFolders: readonly string[];
  /** what would confine a command; absent: nothing does */
  sandbox?: Sandbox | undefined;
}

/** By the settings and the sandbox that are here, with nothing allowed for a session. */
export async function tryInForce(
  command: string,
  { settings, ownFolders, sandbox, ...place }: InForce,
  { mode, trusted }: Pick<PolicyState, "mode" | "trusted">,
): Promise<TriedCommand & { why: string }> {
  const set = settings.get();
  const isThere = set["bash.sandbox"] !== "off" && (await sandbox?.state())?.kind === "ready";
  const confined = !isThere ? undefined : set["bash.network"].length > 0 ? "online" : "offline";
  const state = {
    ...{ mode, trusted, ownFolders, grants: [], rules: rulesInForce(settings), trustsAllContent: true },
    runEverything: set["permissions.runEverything"],
  };
  const tried = await tryCommand(command, place, state, confined);
  const { rule, from, reason } = tried;
  return { ...tried, why: rule === undefined || reason.includes(rule) ? reason : withRule(reason, rule, from?.place) };
}

/** @param confined it would run in the sandbox unless it is allowed */
export async function tryCommand(
  command: string,
  { cwd, files, shell }: TriedPlace,
  state: PolicyState,
  confined?: Action["confined"],
): Promise<TriedCommand> {
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
    state,
  );
  const { decision, by, rule, from, reason } = verdict;
  const readsOnly = verdict.by === "sandbox" && verdict.access === "read";
  return {
    decision,
    by,
    ...defined({ rule, from }),
    reason: reason === undefined ? (readsOnly ? readOnly() : (explanations()[by] ?? "")) : forPeople(reason),
    programs: facts.parts.map(({ shown, effect }) => ({ command: shown, effect })),
  };
}

/** A refusal is written for the model; here a person reads it. */
const forPeople = (reason: string) =>
  reason.replace(/ Do not try to reach the same by another way\.$/, "").replace(/(?<=^|”\. )The user's/, "Your");

const readOnly = () => t("it runs in the sandbox, where it can only read");
const explanations = (): Partial<Record<Verdict["by"], string>> => ({
  reads: t("it only reads"),
  sandbox: t("it runs in the sandbox"),
  rule: t("each program in it is allowed"),
  mode: t("the mode says so"),
});

const withRule = (reason: string, rule: string, place: string | undefined): string =>
  place === undefined ? t("{0} (rule {1})", reason, rule) : t("{0} (rule {1} in {2})", reason, rule, place);
