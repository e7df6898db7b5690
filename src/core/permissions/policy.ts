/**
 * May this call run? Pure (TOOLS.md, "Permissions"). Rules come later; this is what the modes and protected paths say.
 */
import type { ApprovalAction } from "../../shared/records";
import type { DirtyFiles, PermissionMode } from "../../shared/settings";
import type { FileRef } from "../ports";

/** What a call may do: nothing outside the session, read files, edit them, run a command. */
export type Effect = "session" | "read" | "edit" | "command";

export interface PolicyQuestion {
  effect: Effect;
  mode: PermissionMode;
  /** false: the workspace is not trusted */
  trusted: boolean;
  targets: readonly FileRef[];
  /** absolute folders of Strata's own settings and storage, '/' separators */
  ownFolders: readonly string[];
  /** the call's input names a secret by its placeholder */
  namesSecret?: boolean;
}

export type Verdict =
  | { decision: "allow" }
  /** `reason` is set where the mode alone does not say why */
  | { decision: "ask"; reason?: string }
  | { decision: "deny"; reason: string };

type ModeTable = Record<PermissionMode, Record<Effect, "allow" | "ask" | "deny">>;

const modes: ModeTable = {
  plan: { session: "allow", read: "allow", edit: "deny", command: "deny" },
  ask: { session: "allow", read: "allow", edit: "ask", command: "ask" },
  edits: { session: "allow", read: "allow", edit: "allow", command: "ask" },
  auto: { session: "allow", read: "allow", edit: "allow", command: "allow" },
};

export function decide(question: PolicyQuestion): Verdict {
  const { effect, mode, trusted, targets, ownFolders } = question;
  const changes = effect === "edit" || effect === "command";
  if (!trusted && changes) {
    return {
      decision: "deny",
      reason: "This workspace is not trusted, so only reading is allowed. The user can trust it.",
    };
  }
  const verdict = modes[mode][effect];
  if (verdict === "deny") {
    return {
      decision: "deny",
      reason: "The session is in plan mode: only reading and searching is allowed. Say what you would change instead.",
    };
  }
  for (const target of targets) {
    const reason = protectedBecause(target, ownFolders);
    if (reason) return { decision: "ask", reason };
  }
  if (effect === "command" && question.namesSecret) {
    return { decision: "ask", reason: "names a secret that Strata keeps from the model" };
  }
  return { decision: verdict };
}

/**
 * Why a file is always asked about, by its resolved path; undefined: it is not protected.
 */
export function protectedBecause(ref: FileRef, ownFolders: readonly string[]): string | undefined {
  const absolute = ref.absolute.toLowerCase();
  if (ownFolders.some(folder => isWithin(folder.toLowerCase().replace(/\/$/, ""), absolute))) {
    return "belongs to Strata's own settings or storage";
  }
  // Where the workspace itself lies says nothing of its files.
  const parts = (ref.inside ? ref.relative : ref.absolute).split("/").map(sameName);
  const name = parts.at(-1) ?? "";
  for (const [test, reason] of protectedNames) if (test(name, parts)) return reason;
  return ref.inside ? undefined : "outside the workspace";
}

const isWithin = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

/**
 * What some file systems take for the same: `.GIT` is `.git` where case does not count; on Windows `.git.` and `.git ` are
 * too, and `.env::$DATA` is the content of `.env`.
 */
const sameName = (part: string) =>
  part
    .toLowerCase()
    .replace(/(?<=.):.*$/, "")
    .replace(/(?<=[^.])[. ]+$/, "");

const startUpFiles = new Set(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc .envrc config.fish microsoft.powershell_profile.ps1 profile.ps1".split(
    " ",
  ),
);
const keyFolders = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube"]);

const protectedNames: readonly (readonly [(name: string, parts: readonly string[]) => boolean, string])[] = [
  [(_, parts) => parts.includes(".git"), "part of the repository's own data (.git)"],
  [(_, parts) => parts.includes(".vscode"), "part of the editor's settings (.vscode)"],
  [name => name.endsWith(".code-workspace"), "a workspace file of the editor"],
  [name => startUpFiles.has(name), "a start-up file of a shell"],
  // `.env`, `.env.local`, `.env-prod`, `.env_test`; not `.environment`
  [name => /^\.env(?![a-z])/.test(name), "may hold secrets (.env)"],
  [(_, parts) => parts.some(part => keyFolders.has(part)), "may hold keys"],
  [
    name => /^id_(rsa|dsa|ecdsa|ed25519)/.test(name) || /\.(pem|key|p12|pfx|jks|keystore|ppk)$/.test(name),
    "may be a key",
  ],
  [name => [".npmrc", ".netrc", ".pypirc", ".git-credentials"].includes(name), "may hold credentials"],
];

/** What "for this session" settles of unsaved files, among the grants: one of both. */
const unsavedGrants = { save: "unsaved save", leave: "unsaved leave" };

/** From now on unsaved files are saved before a command, or left, without a question. */
export function settleUnsaved(grants: Set<string>, choice: keyof typeof unsavedGrants): void {
  for (const grant of Object.values(unsavedGrants)) grants.delete(grant);
  grants.add(unsavedGrants[choice]);
}

/** What the person settled for this session stands in for being asked. @param set `strata.bash.dirtyFiles` */
export function dirtyFilesNow(set: DirtyFiles, grants: ReadonlySet<string>): DirtyFiles {
  if (set !== "ask") return set;
  if (grants.has(unsavedGrants.save)) return "save";
  return grants.has(unsavedGrants.leave) ? "leave" : "ask";
}

/**
 * What "Allow for this session" allows from then on: the very same command in the same folder, edits of the same files,
 * the same tool reading the same paths.
 */
export function sessionGrant(action: ApprovalAction): string {
  const { detail } = action;
  if (detail.type === "command") {
    return `${detail.background ? "background" : "command"} ${detail.cwd}\0${detail.command}`;
  }
  if (detail.type === "edit") return `edit ${detail.changes.map(change => change.uri).join("\0")}`;
  return `read ${action.toolName} ${detail.paths.join("\0")}`;
}
