/** What else allowing can mean than this once, by its words. */
import type { ReactNode } from "react";
import type { ApprovalAnswer } from "../../../../src/shared/approval";
import { t } from "../../../../src/shared/l10n";
import type { MenuAction } from "../../controls/Popup";
import { exactLine } from "../../text/format";
import type { ApprovalDetail } from "./ApprovalDetails";

export type AllowScope = Pick<ApprovalAnswer, "scope" | "unsaved" | "rules">;

export const allowWords = (detail: ApprovalDetail) => (isUnsaved(detail) ? t("Save and allow") : t("Allow"));
export const isUnsaved = (detail: ApprovalDetail) => detail.type === "command" && detail.unsaved !== undefined;

/** For the session, and for ever by a rule of the person's settings; of unsaved files: with them or without. */
export function allowItems(
  detail: ApprovalDetail,
  rules: readonly string[][],
  allow: (scope: AllowScope) => void,
): MenuAction[] {
  const item = (words: ReactNode, scope: AllowScope): MenuAction => ({
    key: JSON.stringify(scope),
    words,
    run: () => allow(scope),
  });
  const always = rules.map(rule =>
    item(<Always rule={rule.map(ruleWords).join(", ")} />, { scope: "always", rules: [...rule] }),
  );
  if (isUnsaved(detail)) {
    return [
      item(t("Allow without saving"), { scope: "once", unsaved: "leave" }),
      item(t("Save and allow for this session"), { scope: "session", unsaved: "save" }),
      item(t("Allow without saving for this session"), { scope: "session", unsaved: "leave" }),
      ...always,
    ];
  }
  return [item(t("Allow for this session"), { scope: "session" }), ...always];
}

/** Of a command, what may run; else the rule as it would be written. */
const ruleWords = (rule: string) => exactLine(/^Bash\((.+)\)$/s.exec(rule)?.[1] ?? rule);

/** The rule stands in the sentence as it is. */
function Always({ rule }: { rule: string }) {
  const [before, after] = t("Always allow {0}", "\u0000").split("\u0000");
  return (
    <>
      {before}
      <span className="exact">{rule}</span>
      {after}
    </>
  );
}
