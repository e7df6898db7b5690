/** What messages can attach without an editor: what Git says of the workspace. */

import type { Attachments, NothingToAttach, RepositoryChanges } from "../core/ground/ports";
import { t } from "../shared/l10n";

interface TerminalAttachmentsDeps {
  /** Rejects with the signal's reason, and where Git fails. */
  changes(folder: string, signal: AbortSignal): Promise<RepositoryChanges | NothingToAttach>;
  /** absolute */
  folder: string;
  trusted(): boolean;
}

export function terminalAttachments({ changes, folder, trusted }: TerminalAttachmentsDeps): Attachments {
  const editorOnly = (what: string) => async () => ({
    nothing: t("{0} can be attached in the editor only: this is Strata in a terminal.", what),
  });
  return {
    problems: editorOnly("Problems"),
    selection: editorOnly("A selection"),
    terminal: editorOnly("A terminal's output"),
    async changes(signal) {
      if (!trusted())
        return { nothing: t("This workspace is not trusted, so Git is not run in it (--trust lets it run).") };
      const found = await changes(folder, signal);
      return "nothing" in found ? found : [found];
    },
  };
}
