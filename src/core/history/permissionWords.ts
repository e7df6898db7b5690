/** Why a call may run or not, in words for people, as `permissions.jsonl` has it. Pure. */
import type { PermissionEntry } from "../../shared/permissionLog";
import { modeWords } from "../../shared/settingValues";

const fixed: Record<string, string> = {
  reads: "it only reads",
  sandbox: "nothing but the sandbox can be reached",
  grant: "allowed for this session before",
  trust: "the workspace is not trusted",
  stop: "the turn was stopped",
  nobody: "nobody was there to answer",
};

/** "rule Bash(npm test) in settings.json, in the sandbox" */
export function becauseWords(entry: PermissionEntry): string {
  const { sandbox } = entry;
  const where = sandbox === undefined ? "" : sandbox === "in" ? ", in the sandbox" : ", outside the sandbox";
  return because(entry) + where;
}

/** "rule Bash(npm test) in settings.json", "by you, once" */
function because({ by, rule, from, reason, mode, scope, rules }: PermissionEntry): string {
  if (by === "user") {
    const words = { once: "by you, once", session: "by you, for the session", always: "by you, always" };
    const given = words[scope as keyof typeof words] ?? "by you";
    return rules ? `${given}: ${rules.join(", ")}` : given;
  }
  if (by === "rule" && rule !== undefined) return `rule ${rule}${from ? ` in ${from.place}` : ""}`;
  if (by === "mode") return `mode ${modeWords(mode).name}`;
  return fixed[by] ?? reason ?? by;
}

/** "asked", "allowed", "denied" */
export const decisionWord = ({ kind, decision }: PermissionEntry): string =>
  kind === "asked" ? "asked" : decision === "allow" ? "allowed" : "denied";
