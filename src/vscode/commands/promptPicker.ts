/** Everything that the person asked in the session, to go there: in a list of VS Code's own, which types and filters. */

import { type Clock, SessionError } from "../../core/ground/ports";
import { listPrompts } from "../../core/log/prompts";
import { t } from "../../shared/l10n";
import type { PanelHost } from "../panel/host/panelHost";
import type { Sessions } from "../panel/sessions/sessions";
import { choose, complain } from "../platform/messages";
import { withoutIcons } from "../platform/messageText";
import { timeText } from "../platform/timeText";

interface PromptPickerDeps {
  sessions: Sessions;
  panel: PanelHost;
  clock: Clock;
}

const LABEL_CHARS = 120;

export async function pickPrompt(deps: PromptPickerDeps): Promise<void> {
  const chosen = await choose(promptItems(deps), { title: t("Prompts"), placeHolder: t("Go to a prompt") });
  if (chosen) await deps.panel.reveal(chosen.key, chosen.seq);
}

async function promptItems({ sessions, clock }: PromptPickerDeps) {
  const { prompts, missing } = await listPrompts((await sessions.show()).history);
  if (missing.length > 0)
    void complain(t("Some older prompts are not listed: part of the session's log cannot be read."));
  if (prompts.length === 0) throw new SessionError(t("No prompts in this session yet."));
  return prompts.toReversed().map(({ key, seq, ts, text }) => ({
    ...{ key, seq },
    label: withoutIcons(text.trim().replace(/\s+/g, " ").slice(0, LABEL_CHARS)) || t("(picture)"),
    description: timeText(ts, clock.now()),
  }));
}
