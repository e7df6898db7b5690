/** Command lines that nobody wrote: soups of what shells take for more than text, and ones by hand that were changed. */
import type { Random } from "../../../fakes/random";

const pieces = [
  ..."ls cat grep git log echo printf test true false pwd head sed sort uniq find diff -la -n -rn -e -5 --color=auto".split(
    " ",
  ),
  ..."--format=%h --include= src a.ts ./a ../b Grüße 文 HEAD~1 a:b %s +5 a,b a@b _ = - -- ] [ cd && || | ; =ls a=b".split(
    " ",
  ),
  ..."2>/dev/null >/dev/null 2>&1 </dev/null '&&' ';' '#' '!x' '*' '`touch x`' '\\' '' \"\" \"'\" '\"'".split(" "),
  ...[
    "'a b'",
    '"c d"',
    "'$(touch x)'",
    "-d','",
    "--include='*.ts'",
    '-e"a b"',
    "'a  b'",
    "{ 'print $1' }",
    '"a\\.b\\("',
    "\\(",
    "\\)",
    "\\!",
    "HEAD^",
    '--x=y:"a b"',
  ],
];
const odd = [
  ..."'\"\\`$!#~*?[]{}()<>&|;=^%@:,+- \t\n\r",
  "\u00a0",
  "\u2028",
  "\u2019",
  "à",
  "\u0301",
  "&&",
  "||",
  "$(",
  "=(",
  "<(",
  "~+",
  "!!",
  "|&",
  ";;",
  ">|",
  "<<<",
  "<<x\n",
  "$'",
  "\\\n",
  "{a,b}",
  "touch x",
  " &",
  "\0",
];

export function soup(random: Random): string {
  const words = [
    random.pick(["ls", "cat", "grep", "echo", "git log", "printf a", "head", "true", "[ -f a ]", "[ a ="]),
  ];
  for (let left = random.int(0, 9); left > 0; left--) {
    if (random.chance(0.15))
      words.push(random.pick(["|", "&&", "||", ";"]), random.pick(["ls", "cat", "echo", "pwd", "sort"]));
    else words.push(random.pick(pieces));
  }
  const text = words.reduce((all, word) => all + random.pick([" ", " ", " ", "  ", ""]) + word);
  return random.chance(0.3) ? changed(random, text) : text;
}

export const mutant = (random: Random, seeds: readonly string[]): string => {
  let text = random.pick(seeds);
  for (let left = random.int(1, 3); left > 0; left--) text = changed(random, text);
  return text;
};

function changed(random: Random, text: string): string {
  const at = random.int(0, text.length);
  return text.slice(0, at) + (random.chance(0.7) ? random.pick(odd) : "") + text.slice(at + random.int(0, 2));
}
