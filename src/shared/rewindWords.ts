/** What a rewind did, in words for people. */
import { plural, t } from "./l10n";
import type { RecordOf } from "./records";

/** A sentence: how far it came, where it was cut off. */
export function rewindWords(record: RecordOf<"rewind">): string {
  const { undoes, cutOff, turn, message, files = 0 } = record;
  if (cutOff) {
    if (undoes !== undefined)
      return plural(
        files,
        "The undo was cut off: 1 file was put back.",
        "The undo was cut off: {0} files were put back.",
      );
    return plural(
      files,
      "Going back to before turn {1} was cut off: 1 file was put back.",
      "Going back to before turn {1} was cut off: {0} files were put back.",
      turn,
    );
  }
  const done =
    undoes !== undefined
      ? t("Undid going back")
      : message === undefined
        ? t("Went back to before turn {0}", turn)
        : t("Went back to before “{0}”", message);
  return [done, ...scopeWords(record)].join(" · ");
}

function scopeWords({ files, head, left }: RecordOf<"rewind">): string[] {
  const what: string[] = [];
  if (files !== undefined && files > 0) what.push(plural(files, "1 file restored", "{0} files restored"));
  if (files === 0) what.push(t("no file had to change"));
  if (files !== undefined && head === undefined) what.push(t("the conversation stays"));
  if (files === undefined && left === undefined) what.push(t("the conversation alone"));
  if (left) what.push(plural(left.files, "1 file stays as it is", "{0} files stay as they are"));
  return what;
}
