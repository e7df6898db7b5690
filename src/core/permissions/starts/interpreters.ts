/** Programs that run what a file or a text says: how their words are read. */
import { programName, programsThat } from "../plain/programKinds";

export interface Interpreter {
  /** an option behind which the program stands as a text */
  code: RegExp;
  /** the name of a file in which such a text could stand; absent: of a shell */
  as?: string;
  /** such an option with the text in the same word */
  joined?: RegExp;
  /** It runs what it reads, whatever stands behind. */
  reads?: RegExp;
  /** an option behind which a module is named */
  module?: RegExp;
  /** options of one letter with a value of their own; what else is one letter has none */
  valued?: RegExp;
  /** words before the script */
  verbs?: RegExp;
  /** It runs whatever it finds. */
  all?: RegExp;
  /** what may be left out of a file's name */
  endings?: readonly string[];
  /** files beside it that say what it runs */
  files?: readonly string[];
  /** What it is given may be the name of a task of these. */
  hasTasks?: true;
}

/** `node server` runs server.js. */
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".ts"];
const shell: Interpreter = {
  code: /^[-+](?=[a-zA-Z]*$).*c/,
  valued: /^[-+]\w*[oO]$/,
  reads: /^-(?=[a-zA-Z]*$).*s/,
};
const javascript: Interpreter = {
  ...{
    code: /^(?:-[ep]|-pe|--eval|--print)(?:=|$)/,
    as: "code.js",
    valued: /^-[rC]$/,
    verbs: /^(?:inspect|watch|run)$/,
  },
  ...{ all: /^--(?:test|run)(?:=|$)/, endings: ENDINGS },
};
const deno = ["deno.json", "deno.jsonc", "package.json", "bunfig.toml"];
const python: Interpreter = {
  ...{
    code: /^-[a-zA-Z]*c$/,
    as: "code.py",
    joined: /^-[a-zA-Z]*?c(.+)$/s,
    module: /^-[abd-zA-Z]*m/,
    valued: /^-[WXQ]$/,
  },
};
const perl: Interpreter = {
  code: /^-[a-zA-Z\d]*[eE]$/,
  as: "code.pl",
  joined: /^-[a-zA-Z\d]*?[eE](.+)$/s,
  valued: /^-[IMmC]$/,
};

const of: Readonly<Record<string, Interpreter>> = {
  ...Object.fromEntries([...programsThat("shell"), "fish", "tcsh", "csh"].map(name => [name, shell])),
  ...Object.fromEntries(["node", "nodejs", "tsx", "ts-node", "nodemon", "vite-node"].map(name => [name, javascript])),
  bun: { ...javascript, verbs: /^(?:run|x|exec|test|build)$/, all: /^(?:test|build)$/, files: deno, hasTasks: true },
  deno: {
    ...javascript,
    ...{
      code: /^(?:eval|repl)$/,
      verbs: /^(?:run|serve|check|compile|task)$/,
      all: /^(?:test|bench)$/,
      files: deno,
      hasTasks: true,
    },
  },
  ...Object.fromEntries(["python", "pythonw", "pypy"].map(name => [name, python])),
  ruby: {
    code: /^-[a-zA-Z]*e$/,
    as: "code.rb",
    joined: /^-[a-zA-Z]*?e(.+)$/s,
    valued: /^-[IrCE]$/,
    endings: ["", ".rb"],
  },
  perl,
  php: { code: /^-[rRBE]$/, as: "code.php", joined: /^-[rRBE](.+)$/s, valued: /^-[cdzF]$/ },
  lua: { code: /^-e$/, as: "code.lua", joined: /^-e(.+)$/s, valued: /^-l$/ },
  luajit: { code: /^-e$/, as: "code.lua", joined: /^-e(.+)$/s, valued: /^-l$/ },
  julia: { code: /^(?:-[eE]|--eval|--print)(?:=|$)/, as: "code.jl", valued: /^-[JLpt]$/ },
  rscript: { code: /^-e$/, as: "code.r" },
  osascript: { code: /^-e$/, as: "code.txt" },
  pwsh: { code: /^-(?:c|command|e|ec|encodedcommand)$/i, as: "code.ps1", valued: /^$/ },
  powershell: { code: /^-(?:c|command|e|ec|encodedcommand)$/i, as: "code.ps1", valued: /^$/ },
  java: { code: /^$/, valued: /^-(?:cp|classpath|jar|p)$/ },
  // Programs of files, in languages of their own.
  ...Object.fromEntries(["tclsh", "expect", "gnuplot", "swipl", "elixir", "escript"].map(name => [name, perl])),
};

/** For the words of texts that no grammar reads. */
export const INTERPRETER_NAMES: readonly string[] = Object.keys(of);

export function interpreter(program: string): Interpreter | undefined {
  const name = programName(program);
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
