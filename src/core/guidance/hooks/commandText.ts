/** A hook's command as one text for the shell: with its folder, its variables, and words that no shell takes apart. Pure. */
import { shellQuoted } from "../../../shared/shellQuoted";

export type System = "linux" | "macOS" | "windows";

export interface CommandWords {
  /** for a shell; absent: `program` with `args`, which none takes apart */
  text?: string;
  /** which one, where the file names it */
  shell?: string;
  program?: string;
  args?: readonly string[];
  /** seen from the project's folder */
  cwd?: string;
  /** `$NAME` in the values is filled in */
  env: Readonly<Record<string, string>>;
}

/** A part of a word: plain text, or a variable of the environment. */
type CommandPiece = { text: string } | { variable: string };

/** Where hooks have the project's folder from. */
const FOLDERS: Readonly<Record<string, string>> = {
  CLAUDE_PROJECT_DIR: "CLAUDE_PROJECT_DIR",
  STRATA_PROJECT_DIR: "STRATA_PROJECT_DIR",
  workspaceFolder: "CLAUDE_PROJECT_DIR",
};

export function commandText(words: CommandWords, system: System): string {
  const { cwd, env, text, program = "", args = [] } = words;
  const isPosix = system !== "windows";
  const word = isPosix ? posixWord : powershellWord;
  const lines = [
    ...(cwd === undefined
      ? []
      : [isPosix ? `cd ${word(pieces(cwd, true))} || exit 1` : entered(word(pieces(cwd, true)))]),
    ...Object.entries(env).map(([name, value]) =>
      isPosix ? `export ${name}=${word(pieces(value, true))}` : `$env:${name} = ${word(pieces(value, true))}`,
    ),
  ];
  const own = text ?? "";
  const started =
    text === undefined
      ? [program, ...args].map(each => word(pieces(each, false)))
      : inShell(own, words.shell, isPosix, word);
  lines.push(started === undefined ? own : `${isPosix ? "exec" : "&"} ${started.join(" ")}`);
  // On one line people can read it where lists have one; what begins as a comment or has lines of its own stays apart.
  return lines.join(/^[\w./"'$~&]/.test(lines.at(-1) ?? "") && !lines.at(-1)?.includes("\n") ? "; " : "\n");
}

const entered = (folder: string) => `Set-Location -LiteralPath ${folder} -ErrorAction Stop`;

/** undefined: in the one that runs commands here */
function inShell(text: string, shell: string | undefined, isPosix: boolean, word: (of: CommandPiece[]) => string) {
  if (shell === undefined) return undefined;
  const isPowershell = /^(?:powershell|pwsh)$/.test(shell);
  if (isPowershell ? !isPosix : isPosix && shell === "bash") return undefined;
  const program = isPowershell ? "pwsh" : shell;
  return [program, ...(isPowershell ? ["-NoProfile", "-NonInteractive", "-Command"] : ["-c"]), word([{ text }])];
}

/** @param all every variable counts, not the project's folder alone; so does a `~` in front */
function pieces(text: string, all: boolean): CommandPiece[] {
  const found: CommandPiece[] = [];
  const home = all && /^~(?=\/|$)/.test(text);
  const rest = home ? text.slice(1) : text;
  if (home) found.push({ variable: "HOME" });
  let at = 0;
  for (const match of rest.matchAll(/\$(?:\{([A-Za-z_]\w{0,200})\}|([A-Za-z_]\w{0,200}))/g)) {
    const name = match[1] ?? match[2] ?? "";
    const variable = Object.hasOwn(FOLDERS, name) ? FOLDERS[name] : all ? name : undefined;
    if (variable === undefined) continue;
    found.push({ text: rest.slice(at, match.index) }, { variable });
    at = match.index + match[0].length;
  }
  found.push({ text: rest.slice(at) });
  return found.filter(piece => !("text" in piece) || piece.text !== "");
}

function posixWord(of: readonly CommandPiece[]): string {
  const words = of.map(piece =>
    "variable" in piece
      ? `"\${${piece.variable}}"`
      : /^[\w@%+:,./-]+$/.test(piece.text)
        ? piece.text
        : shellQuoted(piece.text),
  );
  return words.join("") || "''";
}

function powershellWord(of: readonly CommandPiece[]): string {
  const words = of.map(piece =>
    "variable" in piece ? `$env:${piece.variable}` : `'${piece.text.replace(/['\u2018-\u201b]/g, "$&$&")}'`,
  );
  if (words.length === 1 && !("variable" in (of[0] ?? {}))) return words[0] ?? "''";
  return words.length === 0 ? "''" : `(${words.join(" + ")})`;
}
