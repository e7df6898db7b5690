/**
 * Signs that a file which is new after a command was made by somebody else: what programs that keep folders in step call their
 * copies, what editors put beside a file while somebody works on it, and who owns it.
 */
import { hostname } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { t } from "../../shared/l10n";
import { statsOf } from "./look";

const synced = () => t("it looks like a copy made by a sync program");
const edited = () => t("it looks like an editor's temporary file");

/** in a file's name, whatever stands beside it */
const SIGNS: readonly (readonly [RegExp, () => string])[] = [
  // Dropbox, Nextcloud, Syncthing, ownCloud, Google Drive
  [/\bconflicted copy\b/i, synced],
  [/\.sync-conflict-\d{8}-\d{6}/, synced],
  [/_conflict-\d{8}-\d{6}/, synced],
  [/\[conflict\b[^\]]*\]/i, synced],
  // Vim, Emacs, Office, LibreOffice, Kate
  [/^\..+\.sw[a-p]$/, edited],
  [/^(\.#.+|#.+#)$/, edited],
  [/^~\$/, edited],
  [/^\.~lock\..+#$/, edited],
  [/^\..+\.kate-swp$/, edited],
];

/** `name 2.txt` of iCloud, `name (1).txt` of Google Drive: where `name.txt` is there. */
const NUMBERED = /^(.+)(?: \d+| \(\d+\))$/;

/** Why a command's new file may be somebody else's: a clause; undefined: nothing speaks for that. @param owner uid */
export async function otherMaker(path: string, owner: bigint): Promise<string | undefined> {
  const name = basename(path);
  const sign = SIGNS.find(([expression]) => expression.test(name));
  if (sign) return sign[1]();
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  // OneDrive adds the machine's name.
  const host = `-${hostname()}`.toLowerCase();
  const original = stem.toLowerCase().endsWith(host) ? stem.slice(0, -host.length) : NUMBERED.exec(stem)?.[1];
  if (original && statsOf(join(dirname(path), original + extension))) return synced();
  const { geteuid } = process;
  return geteuid && owner !== BigInt(geteuid()) ? t("it belongs to another user of this machine") : undefined;
}
