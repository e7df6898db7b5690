/**
 * Which places the sandbox treats in a way of their own (docs/tools.md): tables. Paths of secrets and caches are below the
 * home folder.
 */
import { RULES_FILES } from "../../shared/rulesFiles";

/** Hidden: what they hold opens doors elsewhere. */
export const SECRET_FOLDERS: readonly string[] = [
  ...[".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".oci", ".password-store", ".fly", ".supabase", ".age"],
  ...[".config/gcloud", ".config/gh", ".config/hub", ".config/glab-cli", ".config/op", ".config/rclone"],
  ...[".config/doctl", ".config/sops", ".config/netlify", ".config/configstore", ".config/heroku", ".config/.wrangler"],
  ...[".config/github-copilot", ".config/fish/conf.d/secrets", ".local/share/keyrings", ".local/share/kwalletd"],
  ...[".local/share/com.vercel.cli", ".terraform.d", ".mozilla", ".thunderbird", ".config/google-chrome"],
  ...[".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/Bitwarden", ".1password"],
  ...[".claude", ".codex", ".config/Code/User/globalStorage", ".vscode-server/data/User/globalStorage"],
  ...[".config/Code/User/workspaceStorage", ".vscode-server/data/User/workspaceStorage", ".config/strata"],
  ".local/state/strata",
  ...["Library/Keychains", "Library/Cookies", "Library/Application Support/Google/Chrome"],
  ...["Library/Application Support/Firefox", "Library/Application Support/Code/User/globalStorage"],
];

export const SECRET_FILES: readonly string[] = [
  ...[".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".config/git/credentials", ".pgpass", ".my.cnf"],
  ...[".vault-token", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".boto", ".s3cfg"],
  ...[".terraformrc", ".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties"],
  ...[".nuget/NuGet/NuGet.Config", ".config/containers/auth.json", ".config/hub", ".dockercfg", ".htpasswd"],
  ...[".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history"],
];

/** Of the home folder, where that is the workspace: run or obeyed by shells, git and the desktop. */
export const START_UP: readonly string[] = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv"],
  ...[".zprofile", ".zlogin", ".zlogout", ".inputrc", ".xprofile", ".xsessionrc", ".gitconfig", ".vimrc", ".emacs"],
  ...[".config", ".local", ".emacs.d", ".vim", ".vscode-server", ".nvm", ".cargo", ".pyenv", ".rustup"],
];

/** Empty in the sandbox: sockets of services that do what they are told (docker, the session's bus), other programs' files. */
export const RUNTIME_FOLDERS: readonly string[] = ["/run", "/var/run"];
/** In them, and needed: NixOS keeps its programs there. */
export const RUNTIME_KEPT: readonly string[] = ["/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/**
 * What an editor, a shell's hook, git or an agent does by itself as soon as it is there: read-only in each folder of the
 * workspace. In its roots a command must not make them either.
 */
export const PROTECTED_NAMES: readonly string[] = [
  ...[
    ".git",
    ".vscode",
    ".husky",
    ".mcp.json",
    ".cursor",
    ".cursorrules",
    ".idea",
    ".devcontainer",
    ".devcontainer.json",
  ],
  ...[".envrc", ".claude", ".strata", ...RULES_FILES.map(path => path.split("/").at(-1) ?? path)],
];

/** `CODE_LAW.md` and workspace files have no fixed name. */
export const isProtectedName = (name: string): boolean =>
  PROTECTED_NAMES.includes(name) || /^code_law\.md$|\.code-workspace$/i.test(name);

/** Of these what lies in them is run or obeyed without a question, by git and by an editor that trusts the workspace. */
export const OBEYED_FOLDERS: readonly string[] = [".git", ".vscode"];

/** Of the git folder: what makes git run or read something else. */
export const GIT_PROTECTED: readonly string[] = [
  "config",
  "config.worktree",
  "hooks",
  "commondir",
  "gitdir",
  "worktrees",
];

/** In a repository there never is one: git would take its configuration from where it leads. */
export const GIT_FORBIDDEN = "commondir";

/**
 * Caches of the home folder into which builds write. In the sandbox they are folders of its own: what a command writes there
 * nobody else will run. What lies in them is there to be read, but for what has to be written: that starts empty.
 */
export const CACHES: Readonly<Record<string, readonly string[]>> = {
  ".cache": [
    ...["go-build", "golangci-lint", "staticcheck", "pip", "pip-tools", "uv", "yarn", "pnpm", "node-gyp", "typescript"],
    ...["prettier", "pylint", "black", "ruff", "mypy", "ccache", "sccache", "zig", "bazel", "fontconfig", "matplotlib"],
    ...["jedi", "pre-commit", "composer", "dart", "deno", "esbuild", "turbo", "nx", "vite", "eslint"],
  ],
  ".npm": ["_cacache", "_logs", "_update-notifier-last-checked"],
};

/** Variables that lead to a person's programs, not to a command's: their sockets are not there. */
export const OUTSIDE_VARIABLES =
  /^(DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|GPG_TTY|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DOCKER_HOST|KRB5CCNAME|WSL_INTEROP|TMUX|TMUX_PANE)$/;
