/** The sandbox of macOS: a profile for `sandbox-exec`, written from its documentation and never run here (CHOICES.md). */
import { dirname } from "node:path";
import type { Mount } from "./mounts";
import type { View } from "./view";

export const SEATBELT = "/usr/bin/sandbox-exec";

/** What every program needs to start, and nothing that starts others for it (launchd, Apple events). */
const BASE = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow file-read*)
(allow file-ioctl (literal "/dev/null") (literal "/dev/tty"))
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/dev/fd"))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow ipc-posix-shm-read* (ipc-posix-name-prefix "apple.shm.notification_center"))
(allow pseudo-tty)
(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.logd")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.trustd.agent"))
(allow user-preference-read)`;

interface SeatbeltRules {
  view: Pick<View, "mounts" | "forbidden">;
  /** of the gate for allowed hosts, on this machine; absent: no network */
  port?: number | undefined;
}

/** Later rules win, so that what lies in a place comes behind it; then what must not be made or moved. */
export function seatbeltProfile({ view: { mounts, forbidden }, port }: SeatbeltRules): string {
  const kept = [...mounts.filter(({ kind }) => kind === "read").map(({ path }) => path), ...forbidden];
  const shown = mounts.filter(mount => mount.kind === "write" || mount.kind === "read").map(placeOf);
  return [
    BASE,
    ...mounts.map(access),
    rule("deny file-write*", forbidden.map(subpath)),
    // Renaming the folder around a protected name would allow a new one in its place.
    rule("deny file-write-unlink", [...new Set(kept.map(path => dirname(path)))].map(literal)),
    // Programs ask of each folder on the way to a place whether it is a link.
    rule("allow file-read-metadata", [...new Set(shown.flatMap(foldersAround))].map(literal)),
    port === undefined ? "" : `(allow network-outbound (remote ip "localhost:${port}"))`,
  ]
    .filter(Boolean)
    .join("\n");
}

const placeOf = (mount: Mount) => ("from" in mount && mount.from) || mount.path;

function access(mount: Mount): string {
  const place = subpath(placeOf(mount));
  if (mount.kind === "write") return `(allow file-read* file-write* ${place})`;
  if (mount.kind === "read") return `(allow file-read* ${place})\n(deny file-write* ${place})`;
  return `(deny file-read* file-write* ${place})`;
}

function foldersAround(path: string): string[] {
  const around = dirname(path);
  return around === path ? [] : [around, ...foldersAround(around)];
}

export const seatbeltArguments = (confinement: SeatbeltRules): string[] => ["-p", seatbeltProfile(confinement), "--"];

const rule = (what: string, places: readonly string[]) => (places.length === 0 ? "" : `(${what} ${places.join(" ")})`);
const subpath = (path: string) => `(subpath ${quoted(path)})`;
const literal = (path: string) => `(literal ${quoted(path)})`;
const quoted = (path: string) => `"${path.replace(/[\\"]/g, "\\$&")}"`;
