/** The settings of the machine's administrator: a file that people cannot change, read anew whenever it changes. */
import { lstatSync, readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { ifThere } from "./errno";

const MAX_BYTES = 1024 * 1024;
/** How often it is looked at, ms: no system tells of a file that is not there yet. */
const LOOK_EVERY_MS = 5_000;

export function managedSettingsPath(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (platform === "win32") return `${env.ProgramData || "C:\\ProgramData"}\\Strata\\settings.json`;
  return platform === "darwin" ? "/Library/Application Support/Strata/settings.json" : "/etc/strata/settings.json";
}

export function readManagedSettings(
  path: string,
): { place: string; text: string } | { place: string; problem: string } | undefined {
  try {
    // A link that leads nowhere is there, too.
    if (!ifThere(() => lstatSync(path))) return undefined;
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES)
      return { place: path, problem: t("it is no regular file of at most 1 MB") };
    return { place: path, text: readFileSync(path, "utf8") };
  } catch (error) {
    return { place: path, problem: errorMessage(error) };
  }
}

/** As the editor needs it: read when it is asked for, and told of. */
export const managedSettings = (path = managedSettingsPath()) => ({
  read: () => readManagedSettings(path),
  /** @returns ends it */
  watch(onChange: () => void): () => void {
    watchFile(path, { persistent: false, interval: LOOK_EVERY_MS }, onChange);
    return () => unwatchFile(path, onChange);
  },
});
