/**
 * `permissions.jsonl` (docs/formats.md): who allowed what, by which rule, for which bytes. Each line is written before what it
 * allows happens, and synced before it has an effect. One that cannot be written stops no turn: the log says so, and the next line how many are missing.
 */
import { type PermissionEntry, permissionEntrySchema } from "../../shared/approval";
import { namesText } from "../../shared/format";
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { mapStrings, type Redact } from "../../shared/redacted";
import { modeWords } from "../../shared/settingValues";
import type { Logger, SessionFiles, SessionTextReader } from "../ground/ports";

const NAME = "permissions.jsonl";

interface PermissionLogDeps {
  files: Pick<SessionFiles, "append">;
  logger: Logger;
  /** ms */
  now(): number;
  redact: Redact;
}

export class PermissionLog {
  private missed = 0;
  /** what a crash cut off of the line before stays a line of its own */
  private begin = "\n";

  constructor(private readonly deps: PermissionLogDeps) {}

  /** Never rejects. */
  async write(entry: Omit<PermissionEntry, "ts" | "missed">): Promise<void> {
    const { files, logger, now, redact } = this.deps;
    const missed = this.missed;
    const line = { ts: now(), ...mapStrings(entry, redact), ...(missed > 0 && { missed }) };
    try {
      await files.append(NAME, `${this.begin}${JSON.stringify(line)}\n`);
      this.begin = "";
      this.missed -= missed;
    } catch (error) {
      this.missed++;
      logger.log("warning", "what was decided about a call could not be written", { error: String(error) });
    }
  }
}

/** Its readable lines, oldest first; `broken`: the others. */
export async function readPermissionLog(files: SessionTextReader) {
  const lines = ((await files.read(NAME)) ?? "").split("\n").filter(line => line.trim() !== "");
  const entries = lines.flatMap(line => permissionEntrySchema.safeParse(parseJson(line)).data ?? []);
  return { entries, broken: lines.length - entries.length };
}

const fixed = (): Record<string, string> => ({
  reads: t("it only reads"),
  sandbox: t("nothing but the sandbox can be reached"),
  grant: t("allowed for this session before"),
  trust: t("the workspace is not trusted"),
  stop: t("the turn was stopped"),
  nobody: t("nobody was there to answer"),
});

/** "rule Bash(npm test) in settings.json, in the sandbox" */
export function becauseWords(entry: PermissionEntry): string {
  const why = because(entry);
  if (entry.sandbox === undefined) return why;
  return entry.sandbox === "in" ? t("{0}, in the sandbox", why) : t("{0}, outside the sandbox", why);
}

/** "rule Bash(npm test) in settings.json", "by you, once" */
function because({ by, rule, from, reason, mode, scope, rules }: PermissionEntry): string {
  if (by === "user") {
    const words = { once: t("by you, once"), session: t("by you, for the session"), always: t("by you, always") };
    const given = words[scope as keyof typeof words] ?? t("by you");
    return rules ? t("{0}: {1}", given, namesText(rules)) : given;
  }
  if (by === "rule" && rule !== undefined) return from ? t("rule {0} in {1}", rule, from.place) : t("rule {0}", rule);
  if (by === "mode") return t("mode {0}", modeWords(mode).name);
  return fixed()[by] ?? reason ?? by;
}

/** "asked", "allowed", "denied" */
export const decisionWord = ({ kind, decision }: PermissionEntry): string =>
  kind === "asked" ? t("asked") : decision === "allow" ? t("allowed") : t("denied");
