/** Which commands run tests, a build, a linter or a type check, which only look, and which change files. By their words alone. Pure. */
import type { CommandRun, FileEdit } from "../../log/turnEvidence";

export const checkKinds = ["tests", "build", "lint", "types"] as const;
export type CheckKind = (typeof checkKinds)[number];

const START = "(?:^|[\\s/])";
const SCRIPT =
  "(?:npm|pnpm|yarn|bun|deno task|nx|turbo|just|task|make|composer|rake|hatch|pdm)(?:\\s+-{1,2}\\S+)*\\s+(?:run(?:-script)?\\s+)?";
const KINDS: Record<CheckKind, RegExp> = {
  tests: new RegExp(
    `${START}(?:${SCRIPT}(?:t|tst|tests?(?:[:_-]\\S+)?|\\S+:tests?|spec)(?=\\s|$)|(?:jest|vitest|mocha|ava|tap|pytest|py\\.test|nosetests|rspec|phpunit|pest|ctest|karma|cypress|playwright test|bats|minitest)(?=\\s|$)|python\\d?(?:\\.\\d+)? -m (?:unittest|pytest)|(?:go|dotnet|mix|swift|flutter|deno|sbt|stack|cabal|rails|bazel|zig build|zig|ng|lein|bun) test\\b|cargo (?:test|nextest)\\b|(?:mvnw?|gradlew?)(?=\\s).*\\b(?:test|verify)\\b|node (?:\\S+ )*--test\\b|manage\\.py test\\b)`,
  ),
  build: new RegExp(
    `${START}(?:${SCRIPT}(?:build|compile|bundle|dist)(?:[:_-]\\S+)?(?=\\s|$)|(?:go|cargo|dotnet|vite|next|ng|nuxt|astro|stack|cabal|swift|flutter|docker|zig) build\\b|(?:mvnw?)(?=\\s).*\\b(?:package|install|compile)\\b|(?:gradlew?)(?=\\s).*\\b(?:build|assemble)\\b|webpack|rollup|cmake --build|ninja)(?=\\s|$)`,
  ),
  lint: new RegExp(
    `${START}(?:${SCRIPT}lint(?:[:_-]\\S+)?(?=\\s|$)|(?:eslint|oxlint|tslint|stylelint|flake8|pylint|golangci-lint|rubocop|shellcheck|ktlint|swiftlint|ansible-lint|hadolint)(?=\\s|$)|(?:biome|deno|cargo) (?:check|lint|clippy)\\b|ruff check\\b)`,
  ),
  types: new RegExp(
    `${START}(?:${SCRIPT}(?:type-?check|types|check-?types|tsc|check:types)(?:[:_-]\\S+)?(?=\\s|$)|(?:vue-tsc|tsc|mypy|pyright|basedpyright)(?=\\s|$)|(?:flow|cargo|svelte-)check\\b)`,
  ),
};
/** It tells of runs, or keeps on: it is none. */
const NO_RUN = /\s(?:--(?:help|version|list\S*|collect-only|init|showConfig|dry-run|watch\S*)|-h|dev|serve)(?=\s|$)/;
const LOOKS =
  /^(?:ls|ll|cat|bat|head|tail|less|grep|egrep|rg|ag|find|fd|echo|printf|pwd|cd|wc|sort|uniq|cut|tr|which|type|command -v|env|printenv|date|diff|cmp|tree|stat|file|jq|yq|sleep|true|false|export|test|\[|du|df|ps|uname|whoami|id|basename|dirname|realpath|readlink|nl|sha\d*sum|md5sum|awk|sed(?! -i)|git (?:status|diff|log|show|blame|branch|remote|rev-parse|ls-files|grep|describe|config|fetch|add|tag|stash list|worktree list))(?=\s|$)/;
const HARMLESS =
  /^(?:mkdir|touch|rm|rmdir|cp|mv|ln|chmod|sed|perl -\S*i|patch|tee|git|npm (?:i|install|ci|ls|view|outdated|audit|pkg|init)|pnpm (?:i|install|add)|yarn(?: add| install)?$|pip\d? |uv (?:add|sync|pip)|apt|apt-get|brew|curl|wget|kill|prettier|npx prettier|gofmt|black|cargo (?:add|fmt)|go (?:get|mod|fmt)|node -v|source|\.)(?=\s|$)/;
const HOOKED = /^git (?:commit|push|merge|rebase|am|cherry-pick)\b/;
const WRITES =
  /(?:^|[;&|]\s*)(?:sed\s+(?:-\S+\s+)*-i|perl\s+-\S*i|patch|git (?:apply|checkout|restore|stash(?! list)|reset --hard|revert|merge|rebase|pull|cherry-pick|switch)|mv|cp|rm|tee)\b|>\s*[\w./-]+\.\w+/;
const SOURCE =
  /[\w-]\.(?!(?:md|mdx|txt|rst|log|out|tmp|csv|tsv|png|jpe?g|gif|svg|ico|pdf|patch|diff|lock|bak|orig|example)\b)[a-z]\w{0,9}(?=["'\s]|$)/i;
const DOCS =
  /\.(?:mdx?|txt|rst|adoc|log|csv|tsv|png|jpe?g|gif|svg|webp|ico|pdf|lock)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|\.gitignore|\.editorconfig)$|\.lock\b|-lock\.\w+$/i;

export interface CheckRun extends CommandRun {
  kinds: CheckKind[];
  /** by kind; absent: its end does not say */
  passed: Partial<Record<CheckKind, boolean>>;
  /** it may have been a run of anything; `acts`: or have written anything */
  isUnknown: boolean;
  acts: boolean;
}

/** Its programs: what stands between the operators, without what starts them. */
const programsOf = (command: string): string[] =>
  command
    .split(/&&|\|\|?|;|\n|&(?!\d|>)/)
    .map(part =>
      part
        .replace(
          /^[\s({!]*(?:(?:[A-Z_][A-Z0-9_]*=\S*|time|nice|env|exec|timeout(?: -\S+)* \S+|npx(?: --?\S+)*|pnpm exec|yarn exec|poetry run|uv run|pipenv run|bundle exec|bunx|xvfb-run(?: -\S+)*|sudo)\s+)*/,
          "",
        )
        .trim(),
    )
    .filter(part => part !== "" && !part.startsWith("#"));

export function checkRun(run: CommandRun): CheckRun {
  const programs = programsOf(run.command);
  const kindsOf = (part: string) => (NO_RUN.test(part) ? [] : checkKinds.filter(kind => KINDS[kind].test(part)));
  const each = programs.map(kindsOf);
  const kinds = [...new Set(each.flat())];
  const others = programs.filter((_, at) => each[at]?.length === 0);
  const isUnknown = others.some(part => HOOKED.test(part) || !(LOOKS.test(part) || HARMLESS.test(part)));
  const acts =
    isUnknown ||
    kinds.includes("build") ||
    others.some(part => !LOOKS.test(part)) ||
    />/.test(run.command.replace(/\d?>&\d|>\s*\/dev\/null/g, ""));
  const passed = Object.fromEntries(kinds.map(kind => [kind, hasPassed(run, kind, each)]));
  return { ...run, kinds, isUnknown, acts, passed };
}

/**
 * Of a chain with `&&` the last one failed where it did not end well, and all passed where it did. Of other pipes and chains only
 * the runner's count tells.
 */
function hasPassed(run: CommandRun, kind: CheckKind, each: readonly CheckKind[][]): boolean | undefined {
  const { exit, failedTests, isBackground, isRefused } = run;
  const command = run.command.trim().replace(/\d?>&\d/g, "");
  if (isBackground || isRefused) return undefined;
  if (kind === "tests" && failedTests !== undefined && failedTests > 0) return false;
  const piped = command.replace(/\|\s*(?:tail|head|tee|cat)\b[^|&;\n]*$/, "");
  if (exit === undefined || /\||[;\n]\s*\S|&\s*$|\$\(|(?:^|\s)!\s/.test(piped)) return undefined;
  if (exit === 0) return piped === command ? true : undefined;
  const last = each.findLast(kinds => kinds.length > 0) ?? [];
  return last.includes(kind) && last.length === 1 && !(kind === "tests" && failedTests === 0) ? false : undefined;
}

/** The words of a command as they are compared: a bound check's with those that ran. */
export const plainCommand = (command: string): string =>
  command
    .replace(/\s*\d?>&\d\s*$/, "")
    .trim()
    .replace(/\s+/g, " ");

/** What changed files, by its words: where it is uncertain, it did not. */
export const writesSource = ({ command, isRefused, exit }: CommandRun): boolean =>
  !isRefused &&
  exit === 0 &&
  WRITES.test(command) &&
  (SOURCE.test(command) || /\bgit (?:stash|revert|merge|rebase|pull|cherry-pick|reset)/.test(command));

const LANGUAGES: readonly [program: RegExp, files: RegExp][] = [
  [/\b(?:pytest|mypy|pyright|ruff|flake8|pylint|unittest|tox)\b/, /\.(?:pyi?|toml|cfg|ini|json|ya?ml)$/i],
  [/\bgo (?:test|build|vet)\b|\bgolangci-lint\b/, /\.(?:go|mod|sum|tmpl)$/i],
  [/\bcargo\b/, /\.(?:rs|toml)$/i],
  [/\b(?:vue-)?tsc\b/, /\.(?:[cm]?[jt]sx?|vue|json)$/i],
  [/\b(?:eslint|oxlint|tslint)\b/, /\.(?:[cm]?[jt]sx?|vue|svelte|json)$/i],
];

/** Whether a run looked at the file: not at documents, not at what another language or another folder has. */
export function covers(run: CommandRun, { path }: Pick<FileEdit, "path">): boolean {
  if (path === "" || DOCS.test(path)) return path === "";
  if (LANGUAGES.some(([program, files]) => program.test(run.command) && !files.test(path))) return false;
  const folder =
    /(?:^|[;&\s])(?:cd|--prefix|-C|--cwd|--workspace|-w|--filter|-F)[\s=]+["']?(?!\/|\.\.|~)(?:\.\/)?([\w@./-]+)/.exec(
      run.command,
    )?.[1];
  return (
    folder === undefined || folder === "." || path.split("/").includes(folder.split("/").filter(Boolean).at(-1) ?? "")
  );
}
