/** The same done to several files, each for itself. */
import { t } from "../../../shared/l10n";
import { ErrorForPeople, SessionError } from "../../ground/ports";

const MAX_SAID = 3;

/** What cannot be done of some does not stop the others. Rejects with what could not be done, of the first of them. */
export async function eachFile<F>(files: readonly F[], act: (file: F) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  for (const file of files) {
    await act(file).catch((error: unknown) => {
      if (!(error instanceof ErrorForPeople)) throw error;
      failed.push(error.message);
    });
  }
  if (failed.length === 0) return;
  const said = failed.slice(0, MAX_SAID).join(" ");
  const more = failed.length - MAX_SAID;
  throw new SessionError(more > 0 ? t("{0} And so {1} more.", said, more) : said);
}
