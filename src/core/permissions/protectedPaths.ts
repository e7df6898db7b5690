/** Files that are asked about whatever the mode says: to look into, or to change. */
import { isEnvFile, isKeyFile } from "../../shared/envFile";
import { isLawFile, RULES_FILES } from "../../shared/rulesFiles";
import type { FileRef } from "../ports";

export const OUTSIDE = "outside the workspace";

/**
 * Why a file is always asked about, by its resolved path; undefined: it is not protected.
 * @param access to write: also what steers an agent or starts by itself, which anybody may read
 */
export function protectedBecause(
  ref: Pick<FileRef, "absolute" | "relative" | "inside">,
  ownFolders: readonly string[],
  access: "read" | "write" = "read",
): string | undefined {
  const absolute = ref.absolute.toLowerCase();
  if (ownFolders.some(folder => isWithin(folder.toLowerCase().replace(/\/$/, ""), absolute))) {
    return "belongs to Strata's own settings or storage";
  }
  // Where the workspace itself lies says nothing of its files.
  const parts = (ref.inside ? ref.relative : ref.absolute).split("/").map(sameName);
  const name = parts.at(-1) ?? "";
  const original = withoutBackup(name);
  for (const [test, reason] of protectedNames) if (test(name, parts) || test(original, parts)) return reason;
  if (!ref.inside) return OUTSIDE;
  if (access === "read") return undefined;
  return protectedWrites.find(([test]) => test(name, parts))?.[1];
}

const isWithin = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

/**
 * What some file systems take for the same: `.GIT` is `.git` where case does not count; on Windows `.git.` and `.git ` are
 * too, and `.env::$DATA` is the content of `.env`.
 */
function sameName(part: string): string {
  const name = part.toLowerCase();
  const stream = name.indexOf(":", 1);
  const bare = stream < 0 ? name : name.slice(0, stream);
  let end = bare.length;
  while (end > 0 && (bare[end - 1] === "." || bare[end - 1] === " ")) end -= 1;
  return end === 0 ? bare : bare.slice(0, end);
}

const startUpFiles = new Set(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc .envrc config.fish microsoft.powershell_profile.ps1 profile.ps1".split(
    " ",
  ),
);
const credentialFiles = new Set(
  ".npmrc .netrc _netrc .pypirc .git-credentials .pgpass .vault-token kubeconfig .docker/config.json .dockercfg .cargo/credentials .cargo/credentials.toml .gem/credentials .boto .s3cfg .htpasswd".split(
    " ",
  ),
);
const keyFolders = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube"]);

const protectedNames: readonly (readonly [(name: string, parts: readonly string[]) => boolean, string])[] = [
  [(_, parts) => parts.includes(".git"), "part of the repository's own data (.git)"],
  [(_, parts) => parts.includes(".vscode"), "part of the editor's settings (.vscode)"],
  [name => name.endsWith(".code-workspace"), "a workspace file of the editor"],
  [name => startUpFiles.has(name), "a start-up file of a shell"],
  // `.env`, `.env.local`, `.env-prod`, `prod.env`; not `.environment`
  [isEnvFile, "may hold secrets (.env)"],
  [(_, parts) => parts.some(part => keyFolders.has(part)), "may hold keys"],
  [isKeyFile, "may be a key"],
  [
    (name, parts) =>
      credentialFiles.has(name) ||
      credentialFiles.has(parts.slice(-2).join("/")) ||
      /^(?:[\w-]{1,99}\.)?kubeconfig(?:\.(?:ya?ml|json))?$/.test(name),
    "may hold credentials",
  ],
];

/** A copy that somebody keeps of a key is one: `id_rsa.bak`, `server.key.old`, `prod.env~`. */
const withoutBackup = (name: string) =>
  name.replace(/(?:~|\.(?:bak|backup|old|orig|original|save|saved|copy|tmp|swp|gz|zip|enc|\d{1,8})){1,4}$/, "");

const rulesNames = new Set([
  ...RULES_FILES.map(name => name.toLowerCase()),
  ..."agents.local.md agent.md claude.local.md gemini.md skill.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .aider.conf.yml .mcp.json mcp.json".split(
    " ",
  ),
]);
const agentFolders = new Set(
  ".strata .agents .claude .codex .cursor .gemini .windsurf .clinerules .roo .continue".split(" "),
);
const githubParts = new Set(["workflows", "actions", "instructions", "prompts", "agents", "chatmodes", "hooks"]);
const startsByItself = new Set(
  ".gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml .devcontainer.json .pre-commit-config.yaml .pre-commit-config.yml lefthook.yml .lefthook.yml .lintstagedrc .huskyrc .huskyrc.json .gitmodules .gitattributes .yarnrc .yarnrc.yml .mise.toml mise.toml .cargo/config .cargo/config.toml pip.conf .condarc .bazelrc .ripgreprc .screenrc .tmux.conf .vimrc .exrc .nvimrc .lldbinit .gdbinit .pythonstartup".split(
    " ",
  ),
);
const gitHooks = new Set(
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change".split(
    " ",
  ),
);
const hookFolders = new Set(["hooks", ".hooks", ".githooks", "githooks", ".git-hooks", "git-hooks"]);
/** Git takes a folder that has these for a repository, and does what its settings say. */
const bareRepository = new Set(["head", "config", "config.worktree", "commondir", "packed-refs"]);

const protectedWrites: readonly (readonly [(name: string, parts: readonly string[]) => boolean, string])[] = [
  [
    (name, parts) =>
      rulesNames.has(name) ||
      isLawFile(name) ||
      parts.some(part => agentFolders.has(part)) ||
      rulesNames.has(parts.slice(-2).join("/")),
    "tells agents what to do",
  ],
  [
    (name, parts) =>
      startsByItself.has(name) ||
      startsByItself.has(parts.slice(-2).join("/")) ||
      parts.includes(".husky") ||
      parts.includes(".devcontainer") ||
      parts.includes(".circleci") ||
      parts.some((part, at) => part === ".github" && githubParts.has(parts[at + 1] ?? "")),
    "may start programs by itself",
  ],
  [
    (name, parts) => gitHooks.has(name) || (name === "update" && hookFolders.has(parts.at(-2) ?? "")),
    "may be a hook of git",
  ],
  [
    (name, parts) => bareRepository.has(name) || parts.some(part => part.endsWith(".git") && part !== ".git"),
    "may make the folder a repository of git, with settings of its own",
  ],
];
