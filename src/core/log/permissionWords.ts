/** Why a call may run or not, in words for people, as `permissions.jsonl` has it. Pure. */

import type { PermissionEntry } from "../../shared/approval";
import { namesText } from "../../shared/format";
import { t } from "../../shared/l10n";
import { modeWords } from "../../shared/settingValues";

const fixed = (): Record<string, string> => ({
  reads: t("it only reads"),
  sandbox: t("nothing but the sandbox can be reached"),
  grant: t("allowed for this session before"),
  trust: t("the workspace is not trusted"),
  stop: t("the turn was stopped"),
  nobody: t("nobody was there to answer"),
});

/** "rule Bash(npm test) in settings.json, in the sandbox" */
export function becauseWords(entry: PermissionEntry): string {
  const why = because(entry);
  if (entry.sandbox === undefined) return why;
  return entry.sandbox === "in" ? t("{0}, in the sandbox", why) : t("{0}, outside the sandbox", why);
}

/** "rule Bash(npm test) in settings.json", "by you, once" */
function because({ by, rule, from, reason, mode, scope, rules }: PermissionEntry): string {
  if (by === "user") {
    const words = { once: t("by you, once"), session: t("by you, for the session"), always: t("by you, always") };
    const given = words[scope as keyof typeof words] ?? t("by you");
    return rules ? t("{0}: {1}", given, namesText(rules)) : given;
  }
  if (by === "rule" && rule !== undefined) return from ? t("rule {0} in {1}", rule, from.place) : t("rule {0}", rule);
  if (by === "mode") return t("mode {0}", modeWords(mode).name);
  return fixed()[by] ?? reason ?? by;
}

/** "asked", "allowed", "denied" */
export const decisionWord = ({ kind, decision }: PermissionEntry): string =>
  kind === "asked" ? t("asked") : decision === "allow" ? t("allowed") : t("denied");
