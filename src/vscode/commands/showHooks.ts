/** "Strata: Show Hooks": what is configured, where from, agreed to or not, what is broken; agreeing. */

import type { Hash, Hooks } from "../../core/ground/ports";
import { type HookFileView, hooksReport, lookAtHooks } from "../../core/guidance/hooks/report";
import { fenced } from "../../shared/fences";
import { namesText } from "../../shared/format";
import { t } from "../../shared/l10n";
import { exactText, inOneLine } from "../../shared/shown";
import type { EditorActions } from "../panel/conversation/editorActions";
import { inform, saysYes } from "../platform/messages";
import { chooseInReport } from "../platform/reports";

export interface ShowHooksDeps {
  hooks?: Hooks | undefined;
  hash: Hash;
  editor: EditorActions;
}

/** Resolves when it was closed. */
export async function showHooks(deps: ShowHooksDeps): Promise<void> {
  const { hooks, hash, editor } = deps;
  if (!hooks) return void inform(t("Hooks cannot run here."));
  const { files, broken } = await lookAtHooks(hooks, hash);
  // What waits comes first: Enter goes there.
  const sorted = [...files.filter(({ waits }) => waits), ...files.filter(({ waits }) => !waits)];
  const chosen = await chooseInReport(hooksReport({ files: sorted, broken }), t("Approve or revoke hooks"));
  if (chosen?.key !== undefined) await decide(chosen, chosen.key, hooks, editor);
  // The person's own need no approval.
  else if (chosen) await openHooks(chosen.exact, editor);
}

/** Characters of the text that the question itself shows. */
const MAX_ASKED = 1_500;

/** The person sees the exact text before they say yes; the key is of just that, so that what changes meanwhile is asked anew. */
async function decide(
  { path, exact, waits, scripts, hooks: found, isConfined }: HookFileView,
  key: string,
  hooks: Hooks,
  editor: ShowHooksDeps["editor"],
): Promise<void> {
  if (!waits) {
    const taken = await saysYes(
      t("Revoke approval for the hooks in {0}?", path),
      t("They do not run until you approve them again."),
      t("Revoke"),
    );
    return taken ? hooks.withdraw(key) : undefined;
  }
  const isLong = exact.length > MAX_ASKED;
  if (isLong) await openHooks(exact, editor);
  // The question itself makes its words visible, once.
  const text = isLong ? t("The full text is open in the editor.") : exact;
  const runs = isConfined
    ? t("Hooks run in the sandbox, as commands do, without asking. If they change, you are asked again.")
    : t("Hooks run as you, outside the sandbox, without asking. If they change, you are asked again.");
  const outside = isConfined && found.some(hook => hook.outside);
  const more = outside ? t('Those with "sandbox": false run as you, outside the sandbox.') : "";
  const detail = [runs, more, scriptsText(scripts), text].filter(Boolean).join("\n\n");
  if (await saysYes(t("Run the hooks in {0}?", path), detail, t("Approve"))) await hooks.agree(key, path);
}

const openHooks = (exact: string, editor: ShowHooksDeps["editor"]) =>
  editor.openMarkdown(`${t("Hooks")}.md`, fenced(exactText(exact), "json"));

const MAX_SCRIPTS = 12;

function scriptsText(scripts: readonly string[]): string {
  const limit = t("It does not cover what these or installed packages load or start in turn.");
  if (scripts.length === 0) return "";
  const names = namesText(scripts.slice(0, MAX_SCRIPTS).map(inOneLine));
  const more = scripts.length - MAX_SCRIPTS;
  return more > 0
    ? `${t("The approval covers the files that they name: {0} and {1} more.", names, more)} ${limit}`
    : `${t("The approval covers the files that they name: {0}.", names)} ${limit}`;
}
