/**
 * `permissions.jsonl` (docs/formats.md): who allowed what, by which rule, for which bytes. Each line is synced before what it
 * allows happens. One that cannot be written stops no turn: the log says so, and the next line how many are missing.
 */

import { type PermissionEntry, permissionEntrySchema } from "../../shared/approval";
import type { Redact } from "../../shared/redacted";
import type { Logger, SessionFiles, SessionTextReader } from "../ground/ports";
import { parseJson } from "../ground/text/json";
import { mapStrings } from "../secrets/redact";

const NAME = "permissions.jsonl";

interface PermissionLogDeps {
  files: Pick<SessionFiles, "append" | "readPart">;
  logger: Logger;
  /** ms */
  now(): number;
  redact: Redact;
}

export class PermissionLog {
  private missed = 0;
  private isMended = false;

  constructor(private readonly deps: PermissionLogDeps) {}

  /** Never rejects. */
  async write(entry: Omit<PermissionEntry, "ts" | "missed">): Promise<void> {
    const { files, logger, now, redact } = this.deps;
    const missed = this.missed;
    const line = { ts: now(), ...mapStrings(entry, redact), ...(missed > 0 && { missed }) };
    try {
      await files.append(NAME, `${await this.lineEnd()}${JSON.stringify(line)}\n`);
      this.isMended = true;
      this.missed -= missed;
    } catch (error) {
      this.missed++;
      logger.log("warning", "what was decided about a call could not be written", { error: String(error) });
    }
  }

  /** What a crash cut off stays a line of its own. */
  private async lineEnd(): Promise<string> {
    if (this.isMended) return "";
    const size = (await this.deps.files.readPart(NAME, 0, 0))?.size ?? 0;
    const last = size > 0 ? await this.deps.files.readPart(NAME, size - 1, size) : undefined;
    return last && last.bytes[0] !== 10 ? "\n" : "";
  }
}

/** All that can be read of it, oldest first; `broken`: lines that cannot. */
export async function readPermissionLog(
  files: SessionTextReader,
): Promise<{ entries: PermissionEntry[]; broken: number }> {
  const lines = ((await files.read(NAME)) ?? "").split("\n").filter(line => line.trim() !== "");
  const entries = lines.flatMap(line => permissionEntrySchema.safeParse(parseJson(line)).data ?? []);
  return { entries, broken: lines.length - entries.length };
}
