/** What else allowing can mean than this once, by its words. */
import type { ReactNode } from "react";
import type { ApprovalAnswer } from "../../../../src/shared/approval";
import { plural, t } from "../../../../src/shared/l10n";
import { fileName } from "../../../../src/shared/paths";
import type { FileChange } from "../../../../src/shared/toolResult";
import type { MenuAction } from "../../controls/Popup";
import { exactLine, visibleText } from "../../text/format";
import type { ApprovalDetail } from "./ApprovalDetails";

export type AllowScope = Pick<ApprovalAnswer, "scope" | "unsaved" | "rules">;

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
      item(t("Run without saving"), { scope: "once", unsaved: "leave" }),
      item(t("Save and run, for this session"), { scope: "session", unsaved: "save" }),
      item(t("Run without saving, for this session"), { scope: "session", unsaved: "leave" }),
      ...always,
    ];
  }
  return [item(sessionWords(detail), { scope: "session" }), ...always];
}

/** What stays allowed, by its name: where the menu opens, the question itself need not be in sight. */
function sessionWords(detail: ApprovalDetail): string {
  switch (detail.type) {
    case "command":
      return t("Allow this command for this session");
    case "edit":
      return editWords(detail.changes);
    case "read":
      return plural(detail.paths.length, "Allow this path for this session", "Allow these {0} paths for this session");
    case "other":
      return t("Allow this call for this session");
  }
}

function editWords(changes: readonly FileChange[]): string {
  const [first, ...others] = changes;
  if (first !== undefined && others.length === 0)
    return t("Allow edits of {0} for this session", visibleText(fileName(first.path)));
  return plural(
    changes.length,
    "Allow edits of this file for this session",
    "Allow edits of these {0} files for this session",
  );
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
