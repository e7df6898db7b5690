/**
 * Which places the sandbox treats in a way of their own (docs/tools.md): tables. Paths of tools, settings and caches are below the
 * home folder.
 * Why: C-79.
 */

import { fileName } from "../../shared/paths";
import { RULES_FILES } from "../../shared/rulesFiles";

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Homes and disks that somebody put in: of these a command sees what is listed here, the workspace, and `strata.bash.read`. */
export const USER_DATA: readonly string[] = ["/home", "/root", "/Users", "/media", "/mnt", "/srv", "/Volumes"];
/** In them, and needed: Homebrew keeps its programs there on Linux. */
export const USER_DATA_KEPT: readonly string[] = ["/home/linuxbrew/.linuxbrew"];

/** Programs, and what they run with: toolchains, their versions, packages, data that they load. */
export const HOME_TOOLS: readonly string[] = words(`
  bin .bin .local/bin .local/lib .local/libexec .local/include .local/opt .local/share/man .asdf .local/share/mise
  .local/share/rtx .proto .pixi .nix-profile .local/state/nix .linuxbrew .nvm .fnm .local/share/fnm .nodenv .volta
  .local/share/pnpm .pnpm-store .bun .deno .yarn .npm-global .npm-packages .node_modules node_modules .corepack
  Library/pnpm .pyenv .local/share/uv .local/share/pipx .local/pipx .local/share/virtualenvs .virtualenvs .rye .poetry
  .local/share/pypoetry .conda/envs .conda/pkgs miniconda3 anaconda3 miniforge3 mambaforge micromamba nltk_data
  Library/Python .rustup .cargo go/bin go/pkg sdk .goenv .gvm .sdkman .jenv .jabba .jdks .m2/repository .m2/wrapper
  .gradle/caches .gradle/wrapper .gradle/jdks .gradle/native .ivy2/cache .ivy2/local .sbt/boot .local/share/coursier
  .konan Library/Java .dotnet .nuget/packages .rbenv .rvm .gem .local/share/gem .composer/vendor
  .config/composer/vendor .phpenv .phpbrew .opam .ghcup .stack .cabal/bin .cabal/packages .cabal/store
  .local/state/cabal .elan .juliaup .julia .mix .hex/packages .nimble .choosenim .zig .zvm .swiftly .swiftpm
  .cocoapods .pub-cache flutter .fvm fvm Android/Sdk Library/Android/sdk Library/Developer/Toolchains
  Library/Developer/Xcode/DerivedData .foundry/bin .svm .platformio .arduino15 .tfenv .terraform.d/plugins
  .terraform.d/plugin-cache R .local/share/renv perl5 .plenv .luarocks .TinyTeX texmf .wasmtime .wasmer/bin .fly/bin
  .pulumi/bin .krew/bin
`);

/** No tool's alone, whatever a variable says. */
export const HOME_SHARED: readonly string[] = words(`
  .local .local/share .local/state .config .cache Library Documents Desktop Downloads
`);

/** In these, beside what `SECRET_NAME` says: what opens doors elsewhere. */
export const TOOLS_SECRETS: readonly string[] = words(`
  .local/share/uv/credentials .dotnet/corefx .julia/servers .stack/upload .stack/config.yaml .platformio/appstate.json
  .platformio/homestate.json .swiftpm/configuration .arduino15/arduino-cli.yaml .julia/logs
`);

/** A name right below a tool's folder under which it keeps what opens doors. */
export const SECRET_NAME =
  /^(?:[\w-]*credentials?(?:\.\w+)?|auth(?:\.\w+)?|(?:stored_)?tokens?(?:\.\w+)?|secrets?(?:\.\w+)?|.*_history(?:\.\w+)?|[._]netrc|\.npmrc|\.pypirc|\.env.*|.*\.(?:pem|key|p12|keystore))$/i;

/** Settings of tools, of which a command sees a copy without what may be a token; and the variable that names one, if there is any. */
export const HOME_SETTINGS: Readonly<Record<string, string>> = {
  ".gitconfig": "GIT_CONFIG_GLOBAL",
  ".npmrc": "npm_config_userconfig",
  ".config/pip/pip.conf": "PIP_CONFIG_FILE",
  ...Object.fromEntries(
    words(`
  .config/git/config .config/git/ignore .config/git/attributes .gitignore .gitignore_global .gitattributes .yarnrc
  .yarnrc.yml .config/pnpm/rc .bunfig.toml .pip/pip.conf .condarc .config/uv/uv.toml .cargo/config .cargo/config.toml
  .config/go/env .gemrc .tool-versions .config/mise/config.toml .asdfrc .editorconfig .ripgreprc
  .config/rustfmt/rustfmt.toml .node-version .nvmrc .python-version .ruby-version .java-version .sdkmanrc
`).map(path => [path, ""]),
  ),
};

/** Variables that say where a tool is, elsewhere than it usually is. */
export const TOOL_VARIABLES: readonly string[] = words(`
  JAVA_HOME GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_INSTALL
  PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX RBENV_ROOT GEM_HOME SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT FLUTTER_ROOT
  DOTNET_ROOT ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR M2_HOME MAVEN_HOME PLAYWRIGHT_BROWSERS_PATH GOMODCACHE
  OPAM_SWITCH_PREFIX N_PREFIX
`);

/** Of a home that is the workspace: what of the names with a dot is the project's. */
export const HOME_PROJECT = /^\.(?:git(?:ignore|attributes|modules|hub)?|vscode|editorconfig)$/;
/** What has no dot, and holds what the others do. */
export const HOME_OTHER: readonly string[] = ["_netrc", "Library", "AppData", "snap"];

/** Empty in the sandbox: sockets of services that do what they are told (docker, the session's bus), other programs' files. */
export const RUNTIME_FOLDERS: readonly string[] = ["/run", "/var/run"];
/** In them, and needed: NixOS keeps its programs there. */
export const RUNTIME_KEPT: readonly string[] = ["/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/** Of what is obeyed (shared/obeyedFiles.ts): whoever makes one of these in a root of the workspace is ended at once. */
export const ROOT_NAMES: readonly string[] = [
  ...[".git", ".vscode", ".husky", ".mcp.json", ".cursor", ".cursorrules", ".idea", ".devcontainer"],
  ...[".devcontainer.json", ".envrc", ".claude", ".agents", ".strata"],
  ...RULES_FILES.map(fileName),
];

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
 * nobody else will run. Of what lies in them these can be read; the rest begins empty.
 */
export const CACHES: Readonly<Record<string, readonly string[]>> = {
  ".cache": [
    ...[
      "ms-playwright",
      "ms-playwright-go",
      "puppeteer",
      "Cypress",
      "selenium",
      "electron",
      "electron-builder",
      "node",
    ],
    ...["huggingface", "torch", "pypoetry", "bazelisk", "coursier", "rattler", "R", "chrome-devtools-mcp"],
  ],
  ".npm": ["_npx"],
};

/** Variables that lead to a person's programs, not to a command's: their sockets are not there. */
export const OUTSIDE_VARIABLES =
  /^(DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|GPG_TTY|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DOCKER_HOST|KRB5CCNAME|WSL_INTEROP|TMUX|TMUX_PANE)$/;
