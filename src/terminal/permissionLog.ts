/** `strata show ID --permissions`: what was asked and decided about a session's calls. */
import { readPermissionLog } from "../core/history/permissionLog";
import type { SessionStorage } from "../core/ports";
import type { PermissionEntry } from "../shared/permissionLog";
import { modeName } from "../shared/settingValues";
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
  const { kind, ts, decision, toolName, title, binds, sandbox } = entry;
  const time = new Date(ts).toISOString().replace("T", " ").slice(0, 19);
  const where = sandbox === undefined ? "" : sandbox === "in" ? ", in the sandbox" : ", outside the sandbox";
  const what = kind === "asked" ? "asked" : decision === "allow" ? "allowed" : "denied";
  return visibleLine(`${time} ${what} ${toolName}: ${title} (${because(entry)}${where}; sha256 ${binds.slice(0, 12)})`);
}

const fixed: Record<string, string> = {
  reads: "it only reads",
  sandbox: "nothing but the sandbox can be reached",
  grant: "allowed for this session before",
  trust: "the workspace is not trusted",
  stop: "the turn was stopped",
  nobody: "nobody was there to answer",
};

function because({ by, rule, from, reason, mode, scope, rules }: PermissionEntry): string {
  if (by === "user") {
    const words = { once: "by you, once", session: "by you, for the session", always: "by you, always" };
    const given = words[scope as keyof typeof words] ?? "by you";
    return rules ? `${given}: ${rules.join(", ")}` : given;
  }
  if (by === "rule" && rule !== undefined) return `rule ${rule}${from ? ` in ${from.place}` : ""}`;
  if (by === "mode") return `mode ${modeName(mode)}`;
  return fixed[by] ?? reason ?? by;
}
