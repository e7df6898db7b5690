/** Writing "always" into the person's settings.json, whose comments and order stay. */

import { mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { parseSettingsFile } from "../core/ground/text/json";
import { isObject } from "../shared/isObject";
import { t } from "../shared/l10n";

const NAME = "strata.permissions.allow";

/** Adds the rules that are not there yet. Rejects where the file cannot be read or written, or is not JSON. */
export async function addAllowRules(configDir: string, rules: readonly string[]): Promise<void> {
  await mkdir(configDir, { recursive: true });
  const named = join(configDir, "settings.json");
  // People link this file to where they keep all of theirs: the link stays.
  const path = (await ifThere(realpath(named))) ?? named;
  const text = (await ifThere(readFile(path, "utf8"))) || "{}";
  const parsed = parseSettingsFile(text);
  if (parsed.problem !== undefined || !isObject(parsed.value))
    throw new Error(t("{0} is not valid JSON: {1}", path, parsed.problem ?? t("it is no object")));
  const before = parsed.value[NAME];
  const allowed = [...new Set([...(Array.isArray(before) ? before : []), ...rules])];
  const edits = modify(text, [NAME], allowed, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  const temporary = join(dirname(path), `.settings.${process.pid}.tmp`);
  await writeFile(temporary, applyEdits(text, edits), { mode: 0o600, flush: true });
  await rename(temporary, path);
}

const ifThere = (work: Promise<string>): Promise<string | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
