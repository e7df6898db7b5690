/** The sandbox of macOS: a profile for `sandbox-exec`. Written by its documentation, tried by nobody here: see CHOICES.md. */
import { dirname } from "node:path";
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

interface Confinement {
  view: Pick<View, "mounts" | "forbidden">;
  /** of the gate for allowed hosts, on this machine; absent: no network */
  port?: number | undefined;
}

/** Later rules win: what is written, then what of it is not, then what nobody reads. */
export function seatbeltProfile({ view: { mounts, forbidden }, port }: Confinement): string {
  const of = (kind: string) => mounts.filter(mount => mount.kind === kind);
  const written = of("write").map(mount => subpath(("from" in mount && mount.from) || mount.path));
  const kept = [...of("read").map(({ path }) => subpath(path)), ...forbidden.map(subpath)];
  const folders = [...of("read").map(({ path }) => path), ...forbidden].map(path => dirname(path));
  const hidden = [...of("hideFolder"), ...of("hideFile")].map(({ path }) => subpath(path));
  return [
    BASE,
    rule("allow file-write*", written),
    rule("deny file-write*", kept),
    // Whoever renames the folder around a protected name could make another one in its place.
    rule("deny file-write-unlink", [...new Set(folders)].map(literal)),
    rule("deny file-read* file-write*", hidden),
    port === undefined ? "" : `(allow network-outbound (remote ip "localhost:${port}"))`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** What stands before the command. */
export const seatbeltArguments = (confinement: Confinement): string[] => ["-p", seatbeltProfile(confinement), "--"];

const rule = (what: string, places: readonly string[]) => (places.length === 0 ? "" : `(${what} ${places.join(" ")})`);
const subpath = (path: string) => `(subpath ${quoted(path)})`;
const literal = (path: string) => `(literal ${quoted(path)})`;
const quoted = (path: string) => `"${path.replace(/[\\"]/g, "\\$&")}"`;
