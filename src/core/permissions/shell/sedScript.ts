/** What `sed` is given: a script of it may start programs (`e`), write files (`w`) and read any (`r`). */
import { optionTable, readOptions } from "../plain/getopt";

const options = optionTable(
  "-nErsuz -e: -l: --quiet --silent --regexp-extended --expression: --null-data --separate --line-length:",
);

/** Between delimiters; in brackets none of them, since not every sed takes one there for text. */
const inner = String.raw`(?:\\.|\[\^?\]?(?:(?!\2)[^\]\n])*\]|(?!\2)[^\\\[\n])*`;
const substitution = new RegExp(
  String.raw`^(?:(s)|y)([/|#,@:!%_+])${inner}\2(?:\\.|(?!\2)[^\\\n])*\2[gpiI\d]*(?=[\s;}]|$)`,
);
const address = /^(?:\d+(?:~\d+)?|\$|\/(?:\\.|\[\^?\]?[^\]\n/]*\]|[^\\[\n/])*\/I?|[,\s!]|\+\d+)+/;
const command = /^(?:[{}]|[pdqDgGhHlnNPx=](?=[\s;}\dpdqDgGhHlnNPx=]|$)\d*|[aic]\\?(?:[^\n\\]|\\.)*|[;\s]+)/;

/** Its script has no command but those that change what is printed. @param words `sed` first */
export function isHarmlessSed([program, ...words]: readonly string[]): boolean {
  if (program !== "sed") return false;
  const read = readOptions(words, options);
  if ("unknown" in read) return false;
  const given = ["e", "expression"].flatMap(name => read.given.get(name) ?? []);
  const scripts = given.length > 0 ? given : read.words.slice(0, 1);
  return scripts.length > 0 && read.late.length === 0 && scripts.every(isHarmless);
}

function isHarmless(script: string): boolean {
  if (script.length > 2000) return false;
  for (let left = script; left !== ""; ) {
    const found = substitution.exec(left) ?? address.exec(left) ?? command.exec(left);
    if (found === null || found[0] === "") return false;
    left = left.slice(found[0].length);
  }
  return true;
}
