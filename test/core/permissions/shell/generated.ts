/** Commands by chance: parts that are known, put together in each way that the shell has. */
import type { Random } from "../../../fakes/random";

/** Ways in which a command stands within another one, or starts it. */
export const places: readonly ((inner: string) => string)[] = [
  inner => `ls; ${inner}`,
  inner => `ls && ${inner}`,
  inner => `ls || ${inner}`,
  inner => `ls | ${inner}`,
  inner => `${inner} | cat`,
  inner => `${inner} &`,
  inner => `! ${inner}`,
  inner => `(${inner})`,
  inner => `{ ${inner}; }`,
  inner => `echo $(${inner})`,
  inner => `echo "$(${inner})"`,
  inner => `echo "a $(echo $(${inner}))"`,
  inner => `cat <(${inner})`,
  inner => `x=$(${inner}); ls`,
  inner => `if ${inner}; then ls; fi`,
  inner => `if ls; then ${inner}; else ls; fi`,
  inner => `while ${inner}; do ls; done`,
  inner => `for x in a b; do ${inner}; done`,
  inner => `case a in a) ${inner};; esac`,
  inner => `f() { ${inner}; }; f`,
  inner => `echo \${x:-$(${inner})}`,
  inner => `cat <<EOF\n$(${inner})\nEOF`,
  inner => `cat <<'EOF'\nit's\nEOF\n${inner}`,
  inner => `echo a # it's\n${inner}`,
  inner => `ls 2>&1 >/dev/null; ${inner}`,
  inner => `[[ -n $(${inner}) ]]`,
  inner => `time ${inner}`,
];

/** Programs and words before a simple command. */
export const wrappers: readonly string[] = [
  ..."timeout 5|timeout -s KILL 5|nice|nice -n 5|nohup|env|env -i|env A=1|stdbuf -oL|setsid|ionice -c 3|command|exec|xargs|xargs -0 -n 1|sudo|sudo -u root|doas|time|find . -exec|/usr/bin/env|/usr/bin/timeout 9|A=1|CI=1|PATH=.|2>/dev/null|busybox|npx|strace -f|watch|ssh host|env -u X timeout 3 nice".split(
    "|",
  ),
];
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const shells = [
  "sh -c",
  "bash -c",
  "bash -lc",
  "eval",
  "/bin/sh -c",
  "bash -c --",
  "zsh -ec",
  "env sh -c",
  "xargs sh -c",
];

/** @param simple one simple command, without a line break */
export function wrapped(random: Random, simple: string, depth = random.int(1, 4)): string {
  let command = simple;
  let isSimple = true;
  for (let at = 0; at < depth; at++) {
    const way = random.int(0, 2);
    if (way === 0 && isSimple) command = `${random.pick(wrappers)} ${command}`;
    else if (way === 1) {
      command = `${random.pick(shells)} ${quote(command)}`;
      isSimple = true;
    } else {
      command = random.pick(places)(command);
      isSimple = false;
    }
  }
  return command;
}

/** The same command, written in another way. */
export function written(random: Random, words: readonly string[]): string {
  const gaps = [" ", "  ", "\t", " \\\n", "   "];
  const ways: ((word: string) => string)[] = [
    word => word,
    word => `'${word}'`,
    word => `"${word}"`,
    word => `${word.slice(0, 1)}''${word.slice(1)}`,
    word => `"${word.slice(0, 2)}"${word.slice(2)}`,
    word => `$'${word}'`,
    word => [...word].map(letter => (/[a-z]/.test(letter) ? `\\${letter}` : letter)).join(""),
  ];
  const text = words.map(word => random.pick(ways)(word)).reduce((all, word) => all + random.pick(gaps) + word);
  const ends = ["", " ", " # a comment", " # it's", "\n", ";"];
  return random.pick(["", " ", "\n", "# first\n"]) + text + random.pick(ends);
}

const quoteAgain = (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;

/** Ways in which one command starts another one that may start it again: what reads them must not branch as they do. */
export const starters: readonly ((inner: string) => string)[] = [
  ..."xargs |xargs -I % -n 1 |env |env A=1 |timeout -k 1 1 |nohup |eval |sudo |npx |make |nice --unknown |strace -f |exec |watch |docker run "
    .split("|")
    .map(start => (inner: string) => start + inner),
  inner => `find . -exec ${inner} {} \\;`,
  inner => `find . -exec ${inner} {} +`,
  inner => `find . -execdir ${inner} -ok $X {} \\;`,
  inner => `sh -c ${quoteAgain(inner)}`,
  inner => `env -S ${quoteAgain(inner)}`,
  inner => `sudo --unknown ${quoteAgain(inner)}`,
  inner => `flock x -c ${quoteAgain(inner)}`,
  inner => `git -c alias.x=${quoteAgain(`!${inner}`)} x`,
  inner => `echo ${quoteAgain(inner)} | xargs sh -c`,
  inner => `cat <<E | sh\n${inner}\nE`,
  inner => `echo $(${inner}) $(ls)`,
  inner => `cd x; while ${inner}; do cd y; done`,
];
