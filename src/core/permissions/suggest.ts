/** Rules that would let a call run without a question from now on, to be offered with it: the narrowest first. */
import type { CommandFact } from "./plain/commandReading";
import { OPEN } from "./plain/line";
import { isProgram, programName } from "./plain/programKinds";
import { decide } from "./policy";
import { parseRules } from "./rules";
import type { Action, PolicyState } from "./verdict";

/** characters of a rule that people still read */
const MAX_RULE = 300;

/** Each option is a list of rules, one for each program in a command; none: a rule would not do. */
export function suggestRules(action: Action, state: PolicyState): string[][] {
  const options = action.effects.includes("edit")
    ? editRules(action)
    : action.effects.includes("network")
      ? [[action.toolName]]
      : commandRules(action);
  const unique = new Map(options.map(option => [option.join("\n"), option]));
  return [...unique.values()].filter(option => {
    const rules = [...state.rules, ...parseRules({ allow: option, ask: [], deny: [] })];
    return decide(action, { ...state, grants: [], denials: [], rules, runEverything: false }).decision === "allow";
  });
}

function commandRules({ command, toolName }: Action): string[][] {
  if (command === undefined) return [];
  const parts = command.parts.filter(({ effect }) => effect === "acts");
  const acting = parts.map(({ text, placed = text }) => placed);
  if (acting.length === 0 || acting.length > 5 || parts.some(part => !canBeRule(part))) return [];
  const narrow = [...new Set(acting)].map(text => `${toolName}(${text})`);
  // A star behind an option that may start something would stand for all that it may start.
  const wide = parts.map(({ text, placed = text, risky }) => (risky === undefined ? wider(placed) : undefined));
  return wide.includes(undefined) ? [narrow] : [narrow, [...new Set(wide)].map(text => `${toolName}(${text})`)];
}

/** A star in it would stand for anything; a word that holds blanks would be several: a rule tells `"a b"` and `a b` not apart. */
const canBeRule = ({ text, shown }: CommandFact) =>
  !text.includes(OPEN) && !/[*\n\r]/.test(text) && text.length <= MAX_RULE && countWords(text) === countWords(shown);

/** Blanks that a person wrote between words, and those in a rule's text. */
const countWords = (text: string) =>
  text.replace(/"[^"]*"|'[^']*'|\\./g, quoted => quoted.replace(/\s/g, "_")).split(/\s+/).length;

/** `npm test -- invoice` → `npm test *`; undefined: the program alone says too little */
function wider(text: string): string | undefined {
  const [program = "", second = "", third] = text.split(" ");
  const name = programName(program);
  if (isProgram("narrow", name) || program.includes("/")) return undefined;
  if (second.startsWith("-") && third !== undefined && isProgram("verbs", name)) return undefined;
  if (!/^[a-z][\w:-]*$/i.test(second)) return second === "" || second.startsWith("-") ? `${program} *` : undefined;
  // `npm run build`: the third word is what runs
  const isRun = /^(?:run|run-script|exec|x|dlx|tool)$/.test(second);
  return isRun
    ? third && /^[\w:.-]+$/.test(third)
      ? `${program} ${second} ${third} *`
      : undefined
    : `${program} ${second} *`;
}

function editRules({ targets }: Action): string[][] {
  if (targets.length === 0 || targets.some(({ inside, relative }) => !inside || /[*?[\]{}!()\\]/.test(relative)))
    return [];
  const folders = targets.map(({ relative }) => relative.slice(0, relative.lastIndexOf("/") + 1));
  const narrow = targets.map(({ relative }) => `Edit(${relative})`);
  return folders.includes("") ? [narrow] : [narrow, [...new Set(folders)].map(folder => `Edit(${folder}**)`)];
}
