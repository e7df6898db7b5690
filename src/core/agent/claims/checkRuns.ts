/** Which commands run tests, a build, a linter or a type check, and which may: by their words alone. Pure. */
import type { CommandRun, FileEdit } from "../../log/turnEvidence";
import { forms, languages, programs, runners } from "./forms";

export const checkKinds = ["tests", "build", "lint", "types"] as const;
export type CheckKind = (typeof checkKinds)[number];

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
  const parts = command.split(/&&|\|\|?|;|\n|&(?!\d|>)/).map(part => part.replace(programs.starters, "").trim());
  return parts.filter(part => part !== "" && !part.startsWith("#"));
};
const kindsIn = (program: string): CheckKind[] =>
  programs.noRun.test(program) ? [] : checkKinds.filter(kind => runners[kind].test(program));
export const kindsOf = (command: string): CheckKind[] => programsOf(command).flatMap(kindsIn);

export function checkRun(run: CommandRun): CheckRun {
  const { command, ended, ran } = run;
  const parts = programsOf(command);
  const each = parts.map(kindsIn);
  const kinds = [...new Set(each.flat())];
  const others = parts.filter((_, at) => each[at]?.length === 0);
  const isUnknown = others.some(part => !programs.looks.test(part) && !programs.harmless.test(part));
  const redirects = />/.test(command.replace(/\d?>&\d|>\s*\/dev\/null/g, ""));
  return {
    ...{ ...run, kinds, isUnknown },
    passed: Object.fromEntries(kinds.map(kind => [kind, hasPassed(run, kind, each)])),
    acts: redirects || kinds.includes("build") || others.some(part => !programs.looks.test(part)),
    edits: ran === "here" && ended.exitCode === 0 && programs.writes.test(command) && forms.source.test(command),
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

/** Whether a run looked at the file. @param path "": some source */
export function covers({ command }: CommandRun, { path }: FileEdit): boolean {
  if (path === "") return true;
  if (forms.docs.test(path) || languages.some(([program, files]) => program.test(command) && !files.test(path)))
    return false;
  const folder = programs.folder
    .exec(command)?.[1]
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
