/** `strata show ID --permissions`: what was asked and decided about a session's calls. */
import { readPermissionLog } from "../core/history/permissionLog";
import { becauseWords, decisionWord } from "../core/history/permissionWords";
import type { SessionStorage } from "../core/ports";
import type { PermissionEntry } from "../shared/permissionLog";
import { visibleLine } from "../shared/shown";
import { jsonLine, type Output } from "./output";
import { withFiles } from "./sessions";

/** Rejects with StorageError where there is no such session. */
export function showPermissions(
  storage: SessionStorage,
  id: string,
  json: boolean,
  { out, err }: Pick<Output, "out" | "err">,
): Promise<void> {
  return withFiles(storage, id, async files => {
    const { entries, broken } = await readPermissionLog(files);
    for (const entry of entries) {
      if (entry.missed && !json) err(`! Before the next line, ${entry.missed} could not be written.\n`);
      out(json ? jsonLine({ type: "permission", ...entry }) : `${entryLine(entry)}\n`);
    }
    if (entries.length === 0 && !json) err("Nothing was asked or decided in this session.\n");
    if (broken > 0) err(`! ${broken} ${broken === 1 ? "line" : "lines"} cannot be read.\n`);
  });
}

function entryLine(entry: PermissionEntry): string {
  const { ts, toolName, title, binds } = entry;
  const time = new Date(ts).toISOString().replace("T", " ").slice(0, 19);
  return visibleLine(
    `${time} ${decisionWord(entry)} ${toolName}: ${title} (${becauseWords(entry)}; sha256 ${binds.slice(0, 12)})`,
  );
}
