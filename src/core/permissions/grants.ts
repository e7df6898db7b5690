/**
 * What "… for this session" allows from then on: the very same command in the same folder, edits of the same files, the
 * same tool reading the same paths, a foreign tool with the same input. And how unsaved files are settled before commands.
 */

import type { ApprovalAction, ApprovalAnswer, Grant } from "../../shared/approval";
import { defined } from "../../shared/defined";
import type { DirtyFiles } from "../../shared/settingValues";
import { type ToolTraits, toolTraits } from "../../shared/toolTraits";

export type { Grant } from "../../shared/approval";

type AskedAction = Pick<ApprovalAction, "toolName" | "detail" | "exact">;

/** What a grant for it would be keyed on, as one text. */
export const grantKey = (detail: ApprovalAction["detail"]): string =>
  JSON.stringify(grantFor({ toolName: "", detail }));

/** The grants after an answer: those that there were, and what it allows for the session. */
export function withAnswer(grants: readonly Grant[], action: AskedAction, answer: ApprovalAnswer): Grant[] {
  if (answer.decision !== "allow" || answer.scope === "once") return [...grants];
  const granted = grantFor(action);
  const others = grants.filter(grant => !isSame(grant, granted) && !(answer.unsaved && grant.what.type === "unsaved"));
  if (!answer.unsaved) return [...others, granted];
  return [...others, granted, { what: { type: "unsaved", choice: answer.unsaved }, where: [], scope: "session" }];
}

export function isGranted(grants: readonly Grant[], action: AskedAction): boolean {
  const wanted = grantFor(action);
  return grants.some(grant => isSame(grant, wanted));
}

/** It was allowed, but what it starts is not the same any more. */
export function changedSince(grants: readonly Grant[], action: AskedAction): boolean {
  const { exact: _, ...wanted } = grantFor(action);
  return (
    action.exact !== undefined && grants.some(({ exact, ...grant }) => exact !== undefined && isSame(grant, wanted))
  );
}

/** The answer given for this session, else the setting. @param set `strata.bash.dirtyFiles` */
export function dirtyFilesNow(set: DirtyFiles, grants: readonly Grant[]): DirtyFiles {
  if (set !== "ask") return set;
  const settled = grants.map(({ what }) => what).find(what => what.type === "unsaved");
  return settled?.choice ?? "ask";
}

/** One for a foreign tool that runs commands or edits is its own. */
const isShared = (toolName: string, kind: ToolTraits["rules"]) => {
  const { rules, sharesGrants } = toolTraits(toolName);
  return rules === kind && sharesGrants === true;
};

function grantFor({ toolName, detail, exact }: AskedAction): Grant {
  const own = (kind: ToolTraits["rules"]) => (isShared(toolName, kind) ? undefined : toolName);
  const grantOf = (what: Grant["what"], where: string[], tool?: string): Grant => {
    return { ...defined({ tool }), what, where, scope: "session", ...defined({ exact }) };
  };
  if (detail.type === "command") {
    const { command, cwd, background, sandbox } = detail;
    const what = { type: "command" as const, command, ...(background && { background }), ...defined({ sandbox }) };
    return grantOf(what, [cwd], own("command"));
  }
  if (detail.type === "edit") {
    const uris = detail.changes.map(change => change.uri);
    return grantOf({ type: "edit" }, uris, own("editFiles"));
  }
  if (detail.type === "read") return grantOf({ type: "read" }, detail.paths, toolName);
  return grantOf({ type: "other", input: detail.input }, [], toolName);
}

/** Both were made above, or read by the schema, with their keys in the same order. */
const isSame = (a: Grant, b: Grant) => JSON.stringify(a) === JSON.stringify(b);
