/**
 * Files that tell an agent or a machine what to do, by name alone, in any case and folder. Edits to them ask, they are read-only
 * in the sandbox, and Strata itself obeys some (rules, skills, prompts, agents, hooks, servers).
 */
import { listed } from "./format";
import { t } from "./l10n";
import { isLawFile, RULES_FILES } from "./rulesFiles";

interface ObeyedKind {
  why(): string;
  /** Reading it asks too. */
  toRead?: true;
  /** Git is disarmed where it runs in the sandbox, and names like `config` are everybody's. */
  toEdit?: true;
  isOne(name: string, parts: readonly string[]): boolean;
}

/** The tasks of a project, in every spelling that their programs take. */
export const TASK_FILES = ["package.json", "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile"];

const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap(line => line.split(" ")));

const startUp = words(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc",
  ".cshrc .tcshrc .inputrc .envrc config.fish microsoft.powershell_profile.ps1 profile.ps1",
);
/** By a name, or by a folder and a name. */
const rules = words(
  ...RULES_FILES.map(path => path.toLowerCase()),
  "agents.local.md agent.md claude.local.md gemini.md qwen.md skill.md copilot-instructions.md .cursorrules .windsurfrules",
  ".clinerules .roorules .goosehints .aider.conf.yml .mcp.json mcp.json",
);
const agentFolders = words(
  ".strata .agents .claude .codex .cursor .gemini .windsurf .clinerules .roo .continue .opencode .qwen .kiro .junie",
);
const editorFolders = words(".idea .devcontainer .fleet .zed .vs .nova");
/** Of hooks, of builds that others run, of tools that start what these name: also a version that is a path. */
const startsPrograms = words(
  ".gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .woodpecker.yml .cirrus.yml",
  "appveyor.yml .appveyor.yml cloudbuild.yaml cloudbuild.yml buildspec.yml .devcontainer.json",
  ".pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml .lintstagedrc .huskyrc .huskyrc.json .simple-git-hooks.json",
  ".yarnrc .yarnrc.yml .yarn/releases .yarn/plugins .pnpmfile.cjs .pnpmfile.mjs .mise.toml mise.toml .tool-versions",
  "rust-toolchain rust-toolchain.toml .cargo/config .cargo/config.toml pip.conf .condarc .bazelrc .ripgreprc .screenrc .tmux.conf",
  ".vimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .lldbinit .gdbinit .pythonstartup",
);
const programFolders = words(".husky .circleci .buildkite .woodpecker .semaphore .tekton");
/** Of the folder of a place where repositories are kept. */
const hosts = words(".github .gitea .forgejo .gitlab");
const hostParts = words("workflows actions instructions prompts agents chatmodes hooks skills");
const LEFTHOOK = /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/;
const chosenByGit = words(".gitmodules .gitattributes");
const gitHooks = words(
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit",
  "pre-rebase post-checkout post-merge pre-push pre-receive proc-receive post-receive post-update reference-transaction",
  "push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change",
);
const hookFolders = words("hooks .hooks .githooks githooks .git-hooks git-hooks");
/** Git takes a folder that has these for a repository, and does what its settings say. */
const bareRepository = words("head config config.worktree commondir packed-refs");

const isNamed = (names: ReadonlySet<string>, name: string, parts: readonly string[]) =>
  names.has(name) || names.has(parts.slice(-2).join("/"));
const isIn = (folders: ReadonlySet<string>, parts: readonly string[]) => parts.some(part => folders.has(part));
/** Somewhere on the way, a folder and what is in it. */
const passes = (pairs: ReadonlySet<string>, parts: readonly string[]) =>
  parts.some((part, at) => pairs.has(`${parts[at - 1]}/${part}`));

const programs = () => t("may start programs automatically");

const kinds: readonly ObeyedKind[] = [
  {
    why: () => t("part of the repository's own data (.git)"),
    toRead: true,
    isOne: (_, parts) => parts.includes(".git"),
  },
  {
    why: () => t("part of the editor's settings (.vscode)"),
    toRead: true,
    isOne: (_, parts) => parts.includes(".vscode"),
  },
  { why: () => t("a workspace file of the editor"), toRead: true, isOne: name => name.endsWith(".code-workspace") },
  { why: () => t("a start-up file of a shell"), toRead: true, isOne: name => startUp.has(name) },
  {
    why: () => t("tells agents what to do"),
    isOne: (name, parts) => isNamed(rules, name, parts) || isLawFile(name) || isIn(agentFolders, parts),
  },
  {
    why: programs,
    isOne: (name, parts) =>
      isNamed(startsPrograms, name, parts) ||
      passes(startsPrograms, parts) ||
      LEFTHOOK.test(name) ||
      isIn(programFolders, parts) ||
      isIn(editorFolders, parts) ||
      parts.some((part, at) => hostParts.has(part) && hosts.has(parts[at - 1] ?? "")),
  },
  { why: programs, toEdit: true, isOne: name => chosenByGit.has(name) },
  {
    why: () => t("may be a hook of git"),
    toEdit: true,
    isOne: (name, parts) => gitHooks.has(name) || (name === "update" && hookFolders.has(parts.at(-2) ?? "")),
  },
  {
    why: () => t("may make the folder a repository of git, with settings of its own"),
    toEdit: true,
    isOne: (name, parts) => bareRepository.has(name) || parts.some(part => part.endsWith(".git") && part !== ".git"),
  },
];

/**
 * Why a file is asked about, in words; undefined: it is not obeyed.
 * @param parts of its path below a folder of the workspace, in small letters
 * @param access read: kinds whose reading asks
 */
export function obeyedBecause(parts: readonly string[], access: "read" | "write" = "write"): string | undefined {
  const name = parts.at(-1) ?? "";
  return kinds.find(({ toRead, isOne }) => (access === "write" || toRead) && isOne(name, parts))?.why();
}

/** A file or folder that no command in the sandbox may make or change. @param folder the name of the one that it is in */
export function isObeyedEntry(folder: string, name: string): boolean {
  const parts = [folder.toLowerCase(), name.toLowerCase()];
  return kinds.some(({ toEdit, isOne }) => !toEdit && isOne(parts[1] ?? "", parts));
}

/** Folders with a dot that such entries lie in, and that are none themselves. */
export const holdsObeyed = (folder: string): boolean =>
  hosts.has(folder.toLowerCase()) || [".yarn", ".cargo"].includes(folder.toLowerCase());

export const madeByCommand = () =>
  t("It was made or changed while a command ran in the sandbox: it counts once you save it");

const MAX_SHOWN = 50;

export const obeyedByTask = (paths: readonly string[]): string =>
  t(
    "While a command ran in the background, files were made or changed that agents or tools obey: {0}. Strata does not obey them until you save them.",
    listed(paths, MAX_SHOWN),
  );
