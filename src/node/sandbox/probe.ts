/** Does the sandbox work here? Found out by a real run: bubblewrap is installed in many containers that forbid what it does. */
import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { SandboxState } from "../../core/ground/ports";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import { unlessFails } from "../errno";

const LIMIT_MS = 10_000;
const FOREIGN = ".strata-sandbox-probe";

/** What must hold is tried: one network interface, own processes only, a temporary folder, and no writing beside. */
const SCRIPT = `
lines=0; while read -r line; do lines=$((lines + 1)); done < /proc/net/dev
[ $lines -eq 3 ] && echo alone
[ $$ -lt 100 ] && echo own
(: > "$TMPDIR/probe") 2>/dev/null && echo temporary
(: > "$1/${FOREIGN}") 2>/dev/null
exit 0
`;

interface Trial {
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** a folder outside the workspace into which this user could write */
  outside: string;
  /** There the network is refused call by call, and processes are in sight. */
  isMac?: boolean;
  /** what it reads, as descriptors from 4 on */
  files: readonly string[];
}

/** undefined: it works; else what it said, or what does not hold */
export async function tryOut({ program, args, env, outside, isMac = false, files }: Trial) {
  const { code, out, err } = await output(program, [...args, "/bin/sh", "-c", SCRIPT, "sh", outside], { env, files });
  // Beside a workspace in /tmp the sandbox has a folder of its own: a write there does not arrive.
  const isOpen = existsSync(join(outside, FOREIGN));
  rmSync(join(outside, FOREIGN), { force: true });
  if (code !== 0) return err.trim() || t("it ended with {0}", code);
  const holds = new Set(out.split("\n"));
  if (isOpen) return t("it let a command write outside the workspace");
  if (isMac) return holds.has("temporary") ? undefined : t("it has no temporary folder");
  if (!holds.has("alone")) return t("it did not take the network away");
  if (!holds.has("own")) return t("it did not hide other processes");
  return holds.has("temporary") ? undefined : t("it has no temporary folder");
}

async function output(program: string, args: readonly string[], { env, files }: Pick<Trial, "env" | "files">) {
  const opened = files.map(path => openSync(path, "r"));
  const stdio: StdioOptions = ["ignore", "pipe", "pipe", "ignore", ...opened];
  const child = spawn(program, args, { env, stdio, timeout: LIMIT_MS, killSignal: "SIGKILL" });
  for (const descriptor of opened) closeSync(descriptor);
  try {
    const [[code, signal], out, err] = await Promise.all([
      once(child, "close"),
      ...[child.stdout, child.stderr].map(stream => text(stream as Readable)),
    ]);
    return { code: code ?? t("the signal {0}", signal ?? ""), out: out ?? "", err: err ?? "" };
  } catch (error) {
    return { code: t("an error"), out: "", err: errorMessage(error) };
  }
}

const INSTALL: readonly (readonly [RegExp, string])[] = [
  [/debian|ubuntu|mint|pop/, "sudo apt install bubblewrap"],
  [/fedora|rhel|centos|rocky|alma/, "sudo dnf install bubblewrap"],
  [/arch|manjaro/, "sudo pacman -S bubblewrap"],
  [/suse/, "sudo zypper install bubblewrap"],
  [/alpine/, "sudo apk add bubblewrap"],
  [/nixos/, "nix-env -iA nixos.bubblewrap"],
];

export function notInstalled(release = readIfThere("/etc/os-release")): SandboxState {
  const names = [...release.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]+)/gm)].map(match => match[1]).join(" ");
  const [, command] = INSTALL.find(([system]) => system.test(names)) ?? [];
  const why = t("The sandbox needs bubblewrap, which is not installed.");
  return {
    kind: "missing",
    why,
    ...(command ? { command } : { how: t("Install the package bubblewrap of your system.") }),
  };
}

/** @param words what bubblewrap said */
export function notAllowed(words: string, kernel = { read: readIfThere, exists: (path: string) => existsSync(path) }) {
  const why = t(
    "bubblewrap is installed but does not work here: {0}.",
    words.split("\n").slice(-2).join(" ").slice(0, 300),
  ).replace(/\.\.$/, ".");
  const missing = (rest: { command?: string; how?: string }): SandboxState => ({ kind: "missing", why, ...rest });
  if (!/namespace|uid map|permission|not permitted|No space left/i.test(words)) return missing({});
  if (kernel.read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").trim() === "1")
    return missing({
      how: t("AppArmor forbids it: a profile for bubblewrap allows it."),
      command:
        "sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor",
    });
  if (kernel.read("/proc/sys/kernel/unprivileged_userns_clone").trim() === "0")
    return missing({ command: "sudo sysctl -w kernel.unprivileged_userns_clone=1" });
  if (kernel.read("/proc/sys/user/max_user_namespaces").trim() === "0")
    return missing({ command: "sudo sysctl -w user.max_user_namespaces=15000" });
  if (kernel.exists("/.dockerenv") || kernel.exists("/run/.containerenv"))
    return missing({
      how: t(
        "This is a container that may make no namespaces: start it with {0}, or without Strata's sandbox.",
        "`--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`",
      ),
    });
  return missing({ how: t("The kernel of this machine forbids the namespaces that it needs.") });
}

const readIfThere = (path: string): string => unlessFails(() => readFileSync(path, "utf8"), "");
