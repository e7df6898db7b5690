/** Which commands run tests, a build, a linter or a type check, and which may: by their words alone. Pure. */
import type { CommandRun, FileEdit } from "../../log/turnEvidence";

export const checkKinds = ["tests", "build", "lint", "types"] as const;
export type CheckKind = (typeof checkKinds)[number];

const SCRIPT =
  "(?:npm|pnpm|yarn|bun|deno task|nx|turbo|just|task|make|composer|rake|hatch|pdm)(?: +-{1,2}\\S+)* +(?:run(?:-script)? +)?";
const PROGRAMS: Record<CheckKind, string> = {
  tests: `${SCRIPT}(?:t|tst|tests?(?:[:_-]\\S+)?|\\S+:tests?|spec)|jest|vitest|mocha|ava|tap|pytest|py\\.test|rspec|phpunit|pest|ctest|karma|cypress|playwright test|bats|python\\S* -m (?:unittest|pytest)|(?:go|cargo|dotnet|mix|swift|flutter|deno|sbt|stack|cabal|rails|bazel|zig|ng|lein|bun) test|cargo nextest|(?:mvnw?|gradlew?) .*\\b(?:test|verify)|node (?:\\S+ )*--test|\\S*manage\\.py test`,
  build: `${SCRIPT}(?:build|compile|bundle|dist)(?:[:_-]\\S+)?|(?:go|cargo|dotnet|vite|next|ng|nuxt|astro|stack|cabal|swift|flutter|docker|zig) build|mvnw? .*\\b(?:package|install|compile)|gradlew? .*\\b(?:build|assemble)|webpack|rollup|cmake --build|ninja`,
  lint: `${SCRIPT}lint(?:[:_-]\\S+)?|eslint|oxlint|tslint|stylelint|flake8|pylint|golangci-lint|rubocop|shellcheck|ktlint|swiftlint|hadolint|(?:biome|deno|cargo|ruff) (?:check|lint|clippy)`,
  types: `${SCRIPT}(?:type-?check|types|check-?types|tsc|check:types)(?:[:_-]\\S+)?|vue-tsc|tsc|mypy|pyright|basedpyright|flow check|cargo check|svelte-check`,
};
const kindForms = checkKinds.map(kind => [kind, new RegExp(`^(?:\\S*/)?(?:${PROGRAMS[kind]})(?=\\s|$)`)] as const);
/** It tells of runs, or does not end. */
const NO_RUN = /\s(?:--(?:help|version|list\S*|collect-only|init|dry-run|watch\S*)|-h|dev|serve)(?=\s|$)/;
/** Words in front of a program that only start it. */
const STARTERS =
  /^[\s({!]*(?:(?:[A-Z_][A-Z0-9_]*=\S*|time|nice|env|exec|timeout(?: -\S+)* \S+|npx(?: --?\S+)*|(?:pnpm|yarn|bundle) exec|(?:poetry|uv|pipenv) run|bunx|xvfb-run(?: -\S+)*|sudo|docker compose (?:exec|run)(?: -\S+)* \S+)\s+)*/;
const LOOKS =
  /^(?:ls|cat|bat|head|tail|less|grep|rg|find|fd|echo|printf|pwd|cd|wc|sort|uniq|cut|tr|which|command -v|printenv|date|diff|tree|stat|file|jq|sleep|true|export|test|\[|du|ps|basename|dirname|realpath|awk|sed(?! -i)|git (?:status|diff|log|show|blame|branch|rev-parse|ls-files|grep|fetch|add|stash list))(?=\s|$)/;
const HARMLESS =
  /^(?:mkdir|touch|rm|cp|mv|ln|chmod|sed|perl -\S*i|patch|tee|git(?! (?:commit|push|merge|rebase|am|cherry-pick))|(?:npm|pnpm|yarn|pip\d?|cargo|go|uv|apt|apt-get|brew) (?:i|install|ci|ls|add|get|mod|fmt)|curl|wget|kill|prettier|gofmt|black|source|\.)(?=\s|$)/;
const WRITES =
  /(?:^|[;&|]\s*)(?:sed\s+(?:-\S+\s+)?-i|perl\s+-\S*i|patch|git (?:apply|checkout|restore|stash(?! list)|reset --hard|revert|pull|switch)|mv|cp|rm|tee)\b|>\s*[\w./-]+\.\w+/;
const DOC_ENDS = "mdx?|txt|rst|adoc|log|[ct]sv|png|jpe?g|gif|svg|webp|ico|pdf|lock|out|tmp|patch|diff|bak|example";
const SOURCE = new RegExp(
  `[\\w-]\\.(?!(?:${DOC_ENDS})\\b)[a-z]\\w{0,9}(?=["'\\s]|$)|\\bgit (?:stash|revert|pull|reset)`,
  "i",
);
const DOCS = new RegExp(
  `\\.(?:${DOC_ENDS})$|(?:^|/)(?:LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|\\.gitignore)$|-lock\\.\\w+$`,
  "i",
);

export interface CheckRun extends CommandRun {
  kinds: CheckKind[];
  /** absent: its end does not say */
  passed: Partial<Record<CheckKind, boolean>>;
  /** it may have been a run of anything */
  isUnknown: boolean;
  /** it may have written files, and did by its words */
  acts: boolean;
  edits: boolean;
}

const programsOf = (command: string): string[] => {
  const parts = command.split(/&&|\|\|?|;|\n|&(?!\d|>)/).map(part => part.replace(STARTERS, "").trim());
  return parts.filter(part => part !== "" && !part.startsWith("#"));
};
const kindsIn = (program: string): CheckKind[] =>
  NO_RUN.test(program) ? [] : kindForms.flatMap(([kind, form]) => (form.test(program) ? kind : []));
export const kindsOf = (command: string): CheckKind[] => programsOf(command).flatMap(kindsIn);

export function checkRun(run: CommandRun): CheckRun {
  const { command, ended, ran } = run;
  const programs = programsOf(command);
  const each = programs.map(kindsIn);
  const kinds = [...new Set(each.flat())];
  const others = programs.filter((_, at) => each[at]?.length === 0);
  const isUnknown = others.some(part => !LOOKS.test(part) && !HARMLESS.test(part));
  const redirects = />/.test(command.replace(/\d?>&\d|>\s*\/dev\/null/g, ""));
  return {
    ...{ ...run, kinds, isUnknown },
    passed: Object.fromEntries(kinds.map(kind => [kind, hasPassed(run, kind, each)])),
    acts: redirects || kinds.includes("build") || others.some(part => !LOOKS.test(part)),
    edits: ran === "here" && ended.exitCode === 0 && WRITES.test(command) && SOURCE.test(command),
  };
}

/** Of a chain with `&&` the last one failed, or all passed. Of pipes and other chains only the runner's count tells. */
function hasPassed(
  { command, ended, ran }: CommandRun,
  kind: CheckKind,
  each: readonly CheckKind[][],
): boolean | undefined {
  const { exitCode, tests } = ended;
  if (ran !== "here") return undefined;
  if (kind === "tests" && tests && tests.failed > 0) return false;
  const whole = command.trim().replace(/\d?>&\d/g, "");
  const unpiped = whole.replace(/\|\s*(?:tail|head|tee|cat)\b[^|&;\n]*$/, "");
  if (exitCode === undefined || /\||[;\n]\s*\S|&\s*$|\$\(|(?:^|\s)!\s/.test(unpiped)) return undefined;
  if (exitCode === 0) return unpiped === whole ? true : undefined;
  const last = each.findLast(kinds => kinds.length > 0) ?? [];
  return last.length === 1 && last[0] === kind && !(kind === "tests" && tests?.failed === 0) ? false : undefined;
}

/** What they look at, where that is less than every source. */
const LANGUAGES: readonly [program: RegExp, files: RegExp][] = [
  [/\b(?:pytest|mypy|pyright|ruff|flake8|pylint|unittest)\b/, /\.(?:pyi?|toml|cfg|ini|json|ya?ml)$/i],
  [/\bgo (?:test|build)\b|\bgolangci-lint\b|\bcargo\b/, /\.(?:go|mod|sum|tmpl|rs|toml)$/i],
  [/\btsc\b|\beslint\b/, /\.(?:[cm]?[jt]sx?|vue|json)$/i],
];
const FOLDER = /(?:^|[;&\s])(?:cd|--prefix|-C|--cwd|--workspace|-w|--filter|-F)[\s=]+["']?(?![/.~])([\w@./-]+)/;

/** Whether a run looked at the file. @param path "": some source */
export function covers({ command }: CommandRun, { path }: FileEdit): boolean {
  if (path === "") return true;
  if (DOCS.test(path) || LANGUAGES.some(([program, files]) => program.test(command) && !files.test(path))) return false;
  const folder = FOLDER.exec(command)?.[1]
    ?.split("/")
    .findLast(part => part !== "");
  return folder === undefined || path.split("/").includes(folder);
}

/** With arguments of its own it is the bound check, too. */
export const runsCheck = ({ command }: CommandRun, check: string): boolean =>
  command.split(/&&|;|\n/).some(part => `${plain(part)} `.startsWith(`${plain(check)} `));

const plain = (command: string) =>
  command
    .replace(/\d?>&\d\s*$/, "")
    .trim()
    .replace(/\s+/g, " ");
