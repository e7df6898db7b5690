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

/** Homes and mounted disks: a command sees only the files listed here, the workspace, and `strata.bash.read`. */
export const USER_DATA: readonly string[] = ["/home", "/root", "/Users", "/media", "/mnt", "/srv", "/Volumes"];
/** System files that only root reads: in a container Strata may be root. */
export const SYSTEM_SECRETS: readonly string[] = words(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key
`);
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

/** Shared by many programs: no variable makes one of these a tool's folder. */
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

/** Commands see a copy of these files without tokens, through the variable given here ("": by its path). */
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

/** Empty in the sandbox: sockets of services that do what they are told (docker, the session's bus), other programs' files. */
export const RUNTIME_FOLDERS: readonly string[] = ["/run", "/var/run"];
/** In them, and needed: NixOS keeps its programs there. */
export const RUNTIME_KEPT: readonly string[] = ["/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/** Obeyed names (shared/obeyedFiles.ts): a command that makes one in a root of the workspace is ended at once. */
export const ROOT_NAMES: readonly string[] = [
  ...words(
    ".git .vscode .husky .mcp.json .cursor .cursorrules .idea .devcontainer .devcontainer.json .envrc .claude .agents .strata",
  ),
  ...RULES_FILES.map(fileName),
];

/** Of these what lies in them is run or obeyed without a question, by git and by an editor that trusts the workspace. */
export const OBEYED_FOLDERS: readonly string[] = [".git", ".vscode"];

/** Of the git folder: what makes git run or read something else. */
export const GIT_PROTECTED: readonly string[] = words("config config.worktree hooks commondir gitdir worktrees");

/** In a repository there never is one: git would take its configuration from where it leads. */
export const GIT_FORBIDDEN = "commondir";

/**
 * Caches of the home folder into which builds write. In the sandbox they are its own folders: no other program runs
 * what a command writes there. These subfolders can be read; the rest begins empty.
 */
export const CACHES: Readonly<Record<string, readonly string[]>> = {
  ".cache": words(`
  ms-playwright ms-playwright-go puppeteer Cypress selenium electron electron-builder node huggingface torch pypoetry bazelisk
  coursier rattler R chrome-devtools-mcp
`),
  ".npm": ["_npx"],
};

/**
 * What a command in the sandbox gets of the environment, beside what `strata.bash.env` names: what tools need, `*` for any letters. No
 * list of secrets could be finished, and a program that leads out (a desktop, an agent of keys, Docker) is not there anyway.
 */
export const SANDBOX_VARIABLES: readonly string[] = [
  ...TOOL_VARIABLES,
  ...Object.values(HOME_SETTINGS).filter(name => name !== ""),
  ...words(`
  LANGUAGE HOSTNAME MANPATH INFOPATH LS_COLORS COLUMNS LINES CI GITHUB_ACTIONS GITLAB_CI DEBUG BASH_ENV WSL_DISTRO_NAME
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS SOURCE_DATE_EPOCH
  http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY
  SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO NODE_EXTRA_CA_CERTS PIP_CERT
  CARGO_HTTP_CAINFO AWS_CA_BUNDLE NIX_SSL_CERT_FILE
  GIT_AUTHOR_* GIT_COMMITTER_* GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM GIT_CEILING_DIRECTORIES GIT_DIR GIT_WORK_TREE
  GIT_DISCOVERY_ACROSS_FILESYSTEM GIT_EXEC_PATH GIT_TEMPLATE_DIR
  CC CXX CPP LD AR AS NM RANLIB STRIP OBJCOPY CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBS MAKE MAKEFLAGS CPATH ARCH
  CROSS_COMPILE C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH
  DYLD_FALLBACK_LIBRARY_PATH PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR CMAKE_* CTEST_*
  NINJA_STATUS ACLOCAL_PATH SDKROOT DEVELOPER_DIR MACOSX_DEPLOYMENT_TARGET VCPKG_ROOT CCACHE_DIR SCCACHE_DIR ASAN_OPTIONS
  UBSAN_OPTIONS TSAN_OPTIONS LSAN_OPTIONS HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY NIX_PATH NIX_PROFILES
  NIX_CC NIX_BINTOOLS NIX_CFLAGS_* NIX_LDFLAGS* NIX_HARDENING_ENABLE NIX_STORE NIX_BUILD_CORES IN_NIX_SHELL
  NODE_OPTIONS NODE_ENV NODE_PATH NODE_NO_WARNINGS NODE_DEBUG NODE_REPL_HISTORY NODE_COMPILE_CACHE UV_THREADPOOL_SIZE
  NVM_INC NVM_CD_FLAGS FNM_* NODENV_ROOT NODENV_VERSION npm_config_registry npm_config_cache npm_config_prefix
  npm_config_globalconfig npm_config_yes npm_config_loglevel NPM_CONFIG_REGISTRY NPM_CONFIG_CACHE NPM_CONFIG_PREFIX
  NPM_CONFIG_USERCONFIG NPM_CONFIG_GLOBALCONFIG NPM_CONFIG_YES NPM_CONFIG_LOGLEVEL COREPACK_HOME COREPACK_ENABLE_*
  COREPACK_NPM_REGISTRY YARN_CACHE_FOLDER YARN_ENABLE_* BUN_INSTALL_CACHE_DIR DENO_DIR TS_NODE_* BABEL_ENV
  BROWSERSLIST BROWSERSLIST_ENV NEXT_TELEMETRY_DISABLED CHROME_BIN CHROME_PATH PUPPETEER_* PLAYWRIGHT_* CYPRESS_CACHE_FOLDER
  CYPRESS_INSTALL_BINARY
  PYTHON PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8
  PYTHONIOENCODING PYTHONWARNINGS PYTHONNOUSERSITE PYTHONUSERBASE PYTHONFAULTHANDLER PYTHONDEVMODE PYTHONOPTIMIZE
  PYTHONPYCACHEPREFIX PYENV_VERSION VIRTUAL_ENV_PROMPT PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CACHE_DIR PIP_NO_* PIP_DISABLE_*
  PIP_REQUIRE_VIRTUALENV PIP_ROOT_USER_ACTION PIP_BREAK_SYSTEM_PACKAGES PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT UV_CACHE_DIR
  UV_PYTHON UV_PYTHON_* UV_PROJECT_ENVIRONMENT UV_LINK_MODE UV_OFFLINE UV_INDEX_URL UV_DEFAULT_INDEX UV_TOOL_DIR
  UV_NO_* UV_SYSTEM_PYTHON POETRY_HOME POETRY_CACHE_DIR POETRY_VIRTUALENVS_* PIPENV_VENV_IN_PROJECT PIPX_HOME
  PIPX_BIN_DIR CONDA_DEFAULT_ENV CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL CONDA_ENVS_PATH CONDA_PKGS_DIRS
  MAMBA_ROOT_PREFIX MAMBA_EXE DJANGO_SETTINGS_MODULE FLASK_APP FLASK_ENV PYTEST_ADDOPTS MPLBACKEND MPLCONFIGDIR
  OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS CUDA_HOME CUDA_PATH CUDA_VISIBLE_DEVICES TORCH_HOME HF_HOME
  HF_HUB_OFFLINE TRANSFORMERS_CACHE TRANSFORMERS_OFFLINE NLTK_DATA TF_CPP_MIN_LOG_LEVEL
  GOPATH GOBIN GOCACHE GOFLAGS GOPROXY GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB GOINSECURE GOTOOLCHAIN GOOS GOARCH GOARM
  GOAMD64 GOWORK GOENV GO111MODULE GOEXPERIMENT GOMAXPROCS GOGC GOMEMLIMIT GOTMPDIR GODEBUG GOTRACEBACK GORACE CGO_*
  RUSTFLAGS RUSTDOCFLAGS RUSTC RUSTC_* RUST_* RUSTUP_TOOLCHAIN RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT CARGO_TARGET_* CARGO_BUILD_*
  CARGO_PROFILE_* CARGO_TERM_* CARGO_INCREMENTAL CARGO_NET_*
  JDK_HOME JRE_HOME JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JVM_OPTS CLASSPATH MAVEN_OPTS MAVEN_ARGS
  GRADLE_HOME GRADLE_USER_HOME GRADLE_OPTS ANT_HOME ANT_OPTS SBT_OPTS COURSIER_CACHE KOTLIN_HOME SCALA_HOME
  ANDROID_NDK_HOME ANDROID_NDK_ROOT ANDROID_SDK_HOME ANDROID_USER_HOME PUB_CACHE PUB_HOSTED_URL FLUTTER_STORAGE_BASE_URL
  DOTNET_* NUGET_PACKAGES MSBUILD* ASPNETCORE_ENVIRONMENT ASPNETCORE_URLS GEM_PATH RUBYOPT RUBYLIB RBENV_VERSION
  BUNDLE_PATH BUNDLE_GEMFILE BUNDLE_JOBS BUNDLE_WITHOUT RAILS_ENV RACK_ENV COMPOSER_HOME COMPOSER_CACHE_DIR
  COMPOSER_ALLOW_SUPERUSER PHPRC PHP_INI_SCAN_DIR APP_ENV PERL5LIB PERL5OPT PERL_MB_OPT PERL_MM_OPT PERL_LOCAL_LIB_ROOT
  R_HOME R_LIBS R_LIBS_USER LUA_PATH LUA_CPATH STACK_ROOT CABAL_DIR GHCUP_* OPAMROOT OPAMSWITCH OCAMLPATH
  OCAML_TOPLEVEL_PATH CAML_LD_LIBRARY_PATH JULIA_DEPOT_PATH JULIA_PROJECT JULIA_NUM_THREADS ERL_LIBS ERL_AFLAGS MIX_ENV
  MIX_HOME HEX_HOME ZIG_GLOBAL_CACHE_DIR TEXMFHOME TEXINPUTS BIBINPUTS TF_DATA_DIR TF_PLUGIN_CACHE_DIR
  TF_CLI_CONFIG_FILE ASDF_* MISE_CACHE_DIR MISE_CONFIG_DIR MODULEPATH TURBO_TELEMETRY_DISABLED DO_NOT_TRACK
`),
];
