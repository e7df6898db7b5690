/** Which commands run a project's tests, as far as their words say. */

const RUNNERS = [
  String.raw`(?:npm|pnpm|yarn|bun)(?: run)? (?:t|test(?:[:.\w-]*))`,
  "(?:npx |bunx |pnpm exec )?(?:jest|vitest|mocha|ava|tap|playwright test|karma start)",
  "(?:python3? -m |uv run |poetry run )?(?:pytest|unittest|tox)",
  "(?:cargo (?:test|nextest run)|go test|dotnet test|swift test|mix test|deno test|flutter test)",
  String.raw`(?:\./)?(?:mvnw?|gradlew?)(?: [^|;&]*)? (?:test|check|verify)`,
  "(?:make|just) (?:test|check)",
  "(?:bundle exec )?rspec|(?:vendor/bin/)?phpunit|ctest|node --test",
];

/** At the beginning, or behind `cd somewhere &&` and variables. */
const RUN = new RegExp(String.raw`(?:^|[;&|]\s*)(?:\w+=\S* )*(?:${RUNNERS.join("|")})(?=\s|$|[;&|])`);

const MAX_CHARACTERS = 2_000;

export const runsTests = (command: string): boolean => RUN.test(command.slice(0, MAX_CHARACTERS).trim());

const COUNTS = [/(\d{1,6}) (?:failing|failed|failures?)\b/i, /\bfail(?:ed|ures?)?:? +(\d{1,6})\b/i];

/** How many failed, as the end of its output says; undefined: it does not. */
export function failedTests(output: string): number | undefined {
  for (const pattern of COUNTS) {
    const found = Number(pattern.exec(output)?.[1]);
    if (found > 0) return found;
  }
  return undefined;
}
