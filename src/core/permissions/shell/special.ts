/** Programs whose words say more than a table of options can. */
import type { Judgement } from "./judgement";
import type { ShellWord } from "./words";

const unary = /^-[bcdefghkprstuwxzGLNOSn]$/;
const binary = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** `test -v` computes an index, and a word that is only known when it runs may be that. */
export function testOnlyTests(words: readonly ShellWord[]): Judgement {
  for (const [at, { value, text, isGlob }] of words.entries()) {
    if (value === "-v" || value === "-R")
      return { effect: "acts", why: "`test -v` may compute an index, which runs what is in it" };
    if (value !== undefined && !isGlob) continue;
    const isOne = text.startsWith('"') && text.endsWith('"');
    const isOperand =
      unary.test(words[at - 1]?.value ?? "") ||
      binary.test(words[at - 1]?.value ?? "") ||
      binary.test(words[at + 1]?.value ?? "");
    if (!isOne || !isOperand)
      return {
        effect: "acts",
        why: `\`${text}\` may be an option of \`test\`: in quotes, beside an operator, it would be none`,
      };
  }
  return { effect: "reads", files: [] };
}

/** `tar tf x`, `tar -tzf x`: names, of a file that is here. */
export function tarOnlyLists([options, file, ...names]: readonly ShellWord[]): Judgement {
  const isList = /^-?[tvzjJ]{1,9}f$/.test(options?.value ?? "") && options?.value?.includes("t") === true;
  const isPlain = (word: ShellWord | undefined) =>
    word?.value !== undefined && !word.isGlob && !/^-|:/.test(word.value);
  if (!isList || file === undefined || !isPlain(file) || !names.every(isPlain))
    return tarActs(options, [file, ...names]);
  return { effect: "reads", files: [file], namesOnly: true };
}

/** Without a dash the first word is letters, too. A colon in a name makes it another machine's. */
function tarActs(options: ShellWord | undefined, words: readonly (ShellWord | undefined)[]): Judgement {
  const letters = /^[A-Za-z]+$/.test(options?.value ?? "") ? (options?.value ?? "") : "";
  const letter = /[PIF]/.exec(letters)?.[0];
  const remote = words.find(word => /^[\w@.-]+:/.test(word?.value ?? ""))?.value;
  const risky = letter ? `-${letter}` : remote;
  return { effect: "acts", why: "`tar` packs or unpacks files", ...(risky && { risky }) };
}

/** Its language knows the environment, and files of its own language. */
export const jqOnlyReads = (words: readonly ShellWord[]): boolean =>
  words.every(
    ({ value }) => value !== undefined && !/\benv\b|\$ENV|\b(?:import|include)\b|\binput_filename\b/.test(value),
  );
