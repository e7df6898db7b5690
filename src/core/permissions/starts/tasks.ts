/** Programs that run what a file of tasks says, or a project as a whole: which files these are. */
import { interpreter } from "./interpreters";

export interface Runner {
  files: readonly string[];
  /** options with a folder, in which the files are */
  folder?: RegExp;
  /** options with another file */
  file?: RegExp;
  /** They are looked for in the folders above, too. */
  looksUp?: true;
}

const words = (line: string): readonly string[] => line.split(" ");
const FOLDER = /^(?:-C|--directory|--prefix|--cwd|--dir|--working-directory|--project-directory|--chdir)$/;
const packages = words("package.json .npmrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml");

const runners: Readonly<Record<string, Runner>> = {
  ...Object.fromEntries(
    ["make", "gmake", "bmake", "nmake"].map(name => [
      name,
      {
        files: words("GNUmakefile makefile Makefile BSDmakefile"),
        folder: /^(?:-C|--directory)$/,
        file: /^(?:-f|-I|--file|--makefile|--include-dir)$/,
      },
    ]),
  ),
  just: {
    files: words("justfile Justfile .justfile JUSTFILE"),
    ...{ folder: /^(?:-d|--working-directory)$/, file: /^(?:-f|--justfile)$/ },
  },
  ...Object.fromEntries(
    ["task", "go-task"].map(name => [
      name,
      {
        files: ["Taskfile", "taskfile"].flatMap(file =>
          words(`${file}.yml ${file}.yaml ${file}.dist.yml ${file}.dist.yaml`),
        ),
        ...{ folder: /^(?:-d|--dir)$/, file: /^(?:-t|--taskfile)$/ },
      },
    ]),
  ),
  ...Object.fromEntries(
    words("npm pnpm yarn npx pnpx bunx yarnpkg").map(name => [name, { files: packages, folder: FOLDER }]),
  ),
  ...Object.fromEntries(
    words("npm-run-all run-s run-p turbo nx lerna wireit concurrently lint-staged simple-git-hooks").map(name => [
      name,
      {
        files: [...packages, "turbo.json", "nx.json", "lerna.json", ".lintstagedrc", ".lintstagedrc.json"],
        folder: FOLDER,
      },
    ]),
  ),
  rake: { files: words("Rakefile rakefile Rakefile.rb rakefile.rb"), file: /^(?:-f|--rakefile)$/ },
  invoke: { files: words("tasks.py tasks/__init__.py"), folder: /^(?:-r|--search-root)$/ },
  fab: { files: ["fabfile.py"] },
  mage: { files: ["magefile.go"], folder: /^-[dw]$/ },
  composer: { files: ["composer.json"], folder: /^(?:-d|--working-dir)$/ },
  ant: { files: ["build.xml"], file: /^(?:-f|-file|-buildfile)$/ },
  grunt: { files: words("Gruntfile.js gruntfile.js Gruntfile.ts"), file: /^--gruntfile$/ },
  gulp: { files: words("gulpfile.js gulpfile.ts gulpfile.mjs"), file: /^(?:-f|--gulpfile)$/ },
  "pre-commit": { files: words(".pre-commit-config.yaml .pre-commit-hooks.yaml"), file: /^(?:-c|--config)$/ },
  lefthook: { files: words("lefthook.yml .lefthook.yml lefthook-local.yml lefthook.toml lefthook.json") },
  overcommit: { files: [".overcommit.yml"] },
  mise: { files: words("mise.toml .mise.toml .tool-versions"), folder: /^(?:-C|--cd)$/ },
};

export function runner(name: string): Runner | undefined {
  const found = Object.hasOwn(runners, name) ? runners[name] : undefined;
  return found && (/make$/.test(name) ? found : { ...found, looksUp: true });
}

/** They have the tasks of a shell's words in them, though they look like data. */
export const isTaskFile = (path: string): boolean =>
  /(?:^|[\\/])(?:(?:gnu|bsd)?makefile|\.?justfile|taskfile(?:\.dist)?\.ya?ml|\.pre-commit-config\.yaml|\.?lefthook[\w-]*\.ya?ml|\.?mise\.toml|[^\\/]+\.(?:mk|mak|just))$/i.test(
    path,
  );

/** Of what runs a project as a whole. */
const projectFiles: Readonly<Record<string, readonly string[]>> = {
  tox: ["tox.ini"],
  nox: ["noxfile.py"],
  poetry: ["pyproject.toml"],
  uv: ["pyproject.toml"],
  mvn: ["pom.xml"],
  gradle: ["build.gradle", "build.gradle.kts"],
  cargo: ["build.rs"],
};

/** The files that say what it runs, in the folder where it runs, and those that its words name for them. */
export function taskFiles(name: string, rest: readonly (string | undefined)[]): string[] {
  const own = runner(name);
  const named = own ? givenPlaces(rest, own).files.filter(file => file !== undefined) : [];
  const project = Object.hasOwn(projectFiles, name) ? projectFiles[name] : undefined;
  return [...(own?.files ?? interpreter(name)?.files ?? project ?? []), ...named];
}

const all = /./;
/** By their first word that is no option, those that run what a project is made of: its sources, its builds, its tests. */
const projects: Readonly<Record<string, RegExp>> = {
  go: /^(?:run|test|generate|tool)$/,
  cargo: /^(?!(?:fmt|version|tree|metadata|search|help|locate-project|pkgid|login|new|init)$)/,
  dotnet: /^(?:run|test|build|msbuild|watch|publish|pack|format|script)$/,
  swift: /^(?:run|test|build)$|\.swift$/,
  zig: /^(?:run|test|build)$/,
  ...Object.fromEntries(
    words(
      "pytest py.test tox nox unittest jest vitest mocha ava tap c8 nyc playwright cypress karma rspec minitest rails phpunit pest ctest gradle gradlew mvn mvnw sbt lein mix bazel bazelisk buck2 pants stack cabal dune rebar3 cmake ninja meson scons waf storybook vite webpack rollup next nuxt astro wrangler hardhat forge",
    ).map(name => [name, all]),
  ),
};

/** Their next word is theirs. */
const VALUED = /^(?:-C|-Z|--config|--manifest-path|--target-dir|--color|--project|--package-path|--directory)$/;

export const runsProject = (name: string, rest: readonly (string | undefined)[]): boolean => {
  const first = rest.find((word, at) => word === undefined || !(/^[-+]/.test(word) || VALUED.test(rest[at - 1] ?? "")));
  const named = Object.hasOwn(projects, name) ? projects[name] : undefined;
  return named === all
    ? !rest.some(word => /^--?(?:version|help)$/.test(word ?? ""))
    : (named?.test(first ?? "run") ?? false);
};

interface NodeTask {
  /** a script of package.json, "": none; absent: any of them */
  task?: string;
  /** a program of the packages that are installed, with the words after it */
  program?: readonly (string | undefined)[];
  /** It may be those of every package below. */
  everywhere?: true;
}

const HARMLESS =
  /^(?:ls|list|la|ll|view|info|show|outdated|audit|whoami|ping|root|bin|prefix|search|find|explain|why|help|pkg|config|get|set|docs|fund|doctor|cache|licenses|store|--version|-v)$/;
const INSTALLS =
  /^(?:install|i|ci|it|add|remove|rm|un|uninstall|update|up|upgrade|publish|pack|version|rebuild|link|unlink|dedupe|prune|import|create|init|dlx|set-version)$/;
const EVERYWHERE =
  /^(?:-w|-ws|-r|-F|--workspace|--workspaces|--recursive|--filter|--filter-prod|--include-workspace-root|--scope|workspace|workspaces)(?:=|$)/;

/** What `npm`, `pnpm`, `yarn` and `npx` start of a package. undefined: nothing of it */
export function nodeTask(name: string, rest: readonly (string | undefined)[]): NodeTask | undefined {
  const everywhere = rest.some(word => EVERYWHERE.test(word ?? "")) && { everywhere: true as const };
  const at = verbAt(rest);
  const verb = rest[at];
  const behind = rest.slice(at + 1);
  if (/^(?:npx|pnpx|bunx)$/.test(name)) return { task: "", program: rest.slice(at), ...everywhere };
  if (at === rest.length) return name === "npm" ? undefined : { ...everywhere };
  if (verb === undefined) return { ...everywhere };
  if (/^(?:run|run-script|rum|urn)$/.test(verb)) {
    const next = verbAt(behind);
    if (next === behind.length) return undefined;
    const task = behind[next];
    const program = name !== "npm" && { program: behind.slice(next) };
    return { ...(task !== undefined && { task }), ...program, ...everywhere };
  }
  if (/^(?:t|tst|test|start|stop|restart)$/.test(verb)) return { task: /^t/.test(verb) ? "test" : verb, ...everywhere };
  if (verb === "exec" || verb === "x") return { task: "", program: behind.slice(verbAt(behind)), ...everywhere };
  if (HARMLESS.test(verb) && !everywhere) return undefined;
  if (INSTALLS.test(verb) || name === "npm") return { ...everywhere };
  return { task: verb, program: rest.slice(at), ...everywhere };
}

/** Where the first word stands that is no option and no folder of one. */
function verbAt(rest: readonly (string | undefined)[]): number {
  let at = 0;
  while (at < rest.length && (rest[at] ?? "").startsWith("-")) {
    if (rest[at] === "--") return at + 1;
    at += FOLDER.test(rest[at] ?? "") || /^(?:-p|--package|--loglevel|--userconfig)$/.test(rest[at] ?? "") ? 2 : 1;
  }
  return Math.min(at, rest.length);
}

/** Values of its options with folders and files, joined to them or not (`-Cdir`, `-sC dir`, `--file=x`); undefined: only known when it runs */
export function givenPlaces(
  rest: readonly (string | undefined)[],
  { folder, file }: Pick<Runner, "folder" | "file">,
): Record<"folders" | "files", (string | undefined)[]> {
  const found: Record<"folders" | "files", (string | undefined)[]> = { folders: [], files: [] };
  const kind = (option: string) => (folder?.test(option) ? "folders" : file?.test(option) ? "files" : undefined);
  for (const [at, word = ""] of rest.entries()) {
    const whole = kind(word);
    const [name = "", joined] = word.split(/=(.*)/s);
    const long = word.startsWith("-") && joined !== undefined ? kind(name) : undefined;
    if (whole) found[whole].push(rest[at + 1]);
    else if (long) found[long].push(joined);
    else if (/^-[A-Za-z]./.test(word)) {
      const letters = [...word.slice(1)];
      const letter = letters.findIndex(each => kind(`-${each}`) !== undefined);
      const of = kind(`-${letters[letter] ?? ""}`);
      const value = letters.slice(letter + 1).join("");
      if (of) found[of].push(value === "" ? rest[at + 1] : value);
    }
  }
  return found;
}
