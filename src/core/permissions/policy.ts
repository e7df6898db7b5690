/**
 * May this call run? Pure (docs/tools.md): the mode says it, trust in the workspace, protected paths, secrets, and what the
 * user allowed for this session.
 */
import type { Trust } from "../../shared/manifest";
import type { ApprovalAction } from "../../shared/records";
import type { PermissionMode } from "../../shared/settings";
import type { FileRef } from "../ports";
import { type Grant, isGranted } from "./grants";

/** What a call may do: nothing outside the session, read files, edit them, run a command, reach the network. */
export type Effect = "session" | "read" | "edit" | "command" | "network";

/** A call as it would run: all that a decision may depend on. */
export interface Action {
  toolName: string;
  effects: readonly Effect[];
  /** every file and folder that it touches */
  targets: readonly FileRef[];
  /** the command with its folder, the changes, the paths: as a person would be asked about it, without secrets */
  detail: ApprovalAction["detail"];
  /** its input names a secret by its placeholder */
  namesSecret: boolean;
  /** where the content came from that entered the conversation since the user's last message */
  contentFrom: ReadonlySet<Trust>;
}

export interface PolicyState {
  mode: PermissionMode;
  /** false: the workspace is not trusted */
  trusted: boolean;
  /** absolute folders of Strata's own settings and storage, '/' separators */
  ownFolders: readonly string[];
  grants: readonly Grant[];
}

/** `by`: what decided. `reason`: for the person or the model, where the mode alone does not say it. */
export type Verdict =
  | { decision: "allow"; by: "mode"; reason?: undefined }
  /** `reason`: why it would have been asked about without the grant */
  | { decision: "allow"; by: "grant"; reason?: string }
  | { decision: "ask"; by: "mode" | "protected" | "secret"; reason?: string }
  | { decision: "deny"; by: "mode" | "trust"; reason: string };

type Question = Extract<Verdict, { decision: "ask" }>;

const modes: Record<PermissionMode, Record<Effect, "allow" | "ask" | "deny">> = {
  plan: { session: "allow", read: "allow", edit: "deny", command: "deny", network: "deny" },
  ask: { session: "allow", read: "allow", edit: "ask", command: "ask", network: "ask" },
  edits: { session: "allow", read: "allow", edit: "allow", command: "ask", network: "ask" },
  auto: { session: "allow", read: "allow", edit: "allow", command: "allow", network: "allow" },
};

const UNTRUSTED = "This workspace is not trusted, so only reading is allowed. The user can trust it.";
const PLAN_MODE =
  "The session is in plan mode: only reading and searching is allowed. Say what you would change instead.";

export function decide(action: Action, state: PolicyState): Verdict {
  const { effects } = action;
  if (!state.trusted && effects.some(effect => effect !== "session" && effect !== "read")) {
    return { decision: "deny", by: "trust", reason: UNTRUSTED };
  }
  const byMode = effects.map(effect => modes[state.mode][effect]);
  if (byMode.includes("deny")) return { decision: "deny", by: "mode", reason: PLAN_MODE };
  const question = questionAbout(action, byMode.includes("ask"), state);
  if (!question) return { decision: "allow", by: "mode" };
  const { reason } = question;
  return isGranted(state.grants, action) ? { decision: "allow", by: "grant", ...(reason && { reason }) } : question;
}

/** What the person would be asked, whatever they granted; undefined: nothing. */
function questionAbout(action: Action, modeAsks: boolean, { ownFolders }: PolicyState): Question | undefined {
  const decision = "ask";
  for (const target of action.targets) {
    const reason = protectedBecause(target, ownFolders);
    if (reason) return { decision, by: "protected", reason };
  }
  if (action.namesSecret && action.effects.some(effect => effect === "command" || effect === "network")) {
    return { decision, by: "secret", reason: "names a secret that Strata keeps from the model" };
  }
  return modeAsks ? { decision, by: "mode" } : undefined;
}

/** Why a file is always asked about, by its resolved path; undefined: it is not protected. */
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
