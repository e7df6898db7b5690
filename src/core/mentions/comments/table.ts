/** The rules of a language, by VS Code's language id: those of its built-in extensions, and other common ones. */
import { css, html, php, scss, xml } from "./markup";
import {
  block,
  character,
  double,
  doubleDoubled,
  line,
  nested,
  quoted,
  single,
  singleDoubled,
  triple,
  tripleSingle,
} from "./rules";
import type { Rule } from "./scan";
import { regularExpression, script, scriptWithElements } from "./script";
import * as special from "./strings";

const lines = true;
const slashes: readonly Rule[] = [line("//"), block("/*", "*/")];
const slashesNested: readonly Rule[] = [line("//"), nested("/*", "*/")];
const cLike: readonly Rule[] = [...slashes, double, character()];
const hash: readonly Rule[] = [line("#"), double, single];
const longString = quoted('"', { lines });
const verbatim = quoted('@"', { close: '"', escape: "", doubled: true, lines });
const backslash = special.escapes("\\");

const shell: readonly Rule[] = [
  ...[line("#", "after blank"), special.shellDocument, backslash],
  ...[quoted("$'", { close: "'", lines }), quoted("'", { escape: "", lines }), longString],
];
/** A quote in the middle of a word is an apostrophe. */
const valueStart = (text: string, at: number) => /[\s:,[{(=&|-]|^$/.test(text.charAt(at - 1));
const yaml: readonly Rule[] = [
  ...[line("#", "after blank"), special.yamlBlock, quoted('"', { lines, when: valueStart })],
  quoted("'", { escape: "", doubled: true, lines, when: valueStart }),
];
const powershell: readonly Rule[] = [
  ...[block("<#", "#>"), line("#", "after blank")],
  ...[quoted('@"\n', { close: '\n"@', escape: "", lines }), quoted("@'\n", { close: "\n'@", escape: "", lines })],
  ...[quoted('"', { escape: "`", doubled: true, lines }), singleDoubled],
];
const rubyString = quoted('"', { inserted: "#{" });
const ruby: readonly Rule[] = [
  ...[special.lineBlock(/=begin\b/, /^=end\b/), special.dataAfter("__END__"), special.escapes("?", questionMark)],
  ...[line("#"), special.rubyDocument, rubyString, single, quoted("`"), special.rubyQuotes, regularExpression],
];
const perl: readonly Rule[] = [
  ...[special.lineBlock(/=[a-z]\w*/, /^=cut\b/), special.dataAfter("__END__"), special.dataAfter("__DATA__")],
  ...[special.escapes("$", (text, at) => text[at + 1] === "#"), line("#"), special.shellDocument],
  ...[double, single, special.perlQuotes, regularExpression],
];
const basic: readonly Rule[] = [remark(/rem(?![\w.])/iy, "rR"), line("'"), quoted('"', { escape: "", doubled: true })];
const batch: readonly Rule[] = [remark(/@?rem(?![\w.])/iy, "rR@"), line("::", "line start")];
/** `-->` and `|--` are operators. */
const dashes = line(
  "--",
  "anywhere",
  (text, at) =>
    /^--+[!#$%&*+./<=>?@\\^|~:]/.test(text.slice(at, at + 80)) || /[!#$%&*+./<=>?@\\^|~:]/.test(text.charAt(at - 1)),
);
const haskell: readonly Rule[] = [nested("{-", "-}"), dashes, triple, double, character()];
const ml: readonly Rule[] = [
  special.escapes("(", (text, at) => text.startsWith("(*)", at)),
  nested("(*", "*)"),
  triple,
  longString,
  character(),
];
const lisp: readonly Rule[] = [nested("#|", "|#"), special.escapes("\\"), line(";"), longString];

const families: readonly (readonly [languages: string, rules: readonly Rule[]])[] = [
  ["javascript typescript json jsonc json5 jsonl snippets qml", script],
  ["javascriptreact typescriptreact mdx", scriptWithElements],
  [
    "c objective-c objective-cpp proto proto3 protobuf hlsl shaderlab glsl wgsl metal solidity vala arduino thrift flatbuffers",
    cLike,
  ],
  ["cpp cuda-cpp cpp_embedded_latex", [special.cppRaw, ...cLike]],
  ["verilog systemverilog prisma bicep dbml move cds typst", [...slashes, double]],
  ["d", [nested("/+", "+/"), ...cLike, quoted("`", { escape: "", lines })]],
  ["java apex", [...slashes, triple, double, character()]],
  [
    "csharp",
    [
      ...slashes,
      special.csharpRaw,
      verbatim,
      quoted('$@"', { close: '"', escape: "", doubled: true, lines }),
      quoted('@$"', { close: '"', escape: "", doubled: true, lines }),
      quoted('$"', { close: '"', inserted: "{" }),
      double,
      character(),
    ],
  ],
  ["go v odin", [...cLike, quoted("`", { escape: "", lines })]],
  ["rust ron", [...slashesNested, special.rustRaw, longString, character()]],
  ["zig", [line("//"), zigString(), double, character()]],
  [
    "swift",
    [...slashesNested, special.swiftRaw, quoted('"""', { lines, inserted: "\\(" }), quoted('"', { inserted: "\\(" })],
  ],
  [
    "kotlin",
    [
      ...slashesNested,
      quoted('"""', { escape: "", lines, inserted: "${" }),
      quoted('"', { inserted: "${" }),
      character(),
    ],
  ],
  [
    "scala",
    [
      ...slashesNested,
      quoted('"""', { escape: "", lines, inserted: "${" }),
      quoted('"', { inserted: "${" }),
      character(),
    ],
  ],
  [
    "dart",
    [
      ...slashesNested,
      quoted('r"', { close: '"', escape: "" }),
      quoted("r'", { close: "'", escape: "" }),
      ...[`"""`, "'''"].map(mark => quoted(mark, { lines, inserted: "${" })),
      ...[`"`, "'"].map(mark => quoted(mark, { inserted: "${" })),
    ],
  ],
  [
    "groovy jenkinsfile",
    [
      ...slashes,
      triple,
      tripleSingle,
      quoted('"', { inserted: "${" }),
      single,
      quoted("$/", { close: "/$", escape: "", lines }),
      regularExpression,
    ],
  ],
  ["css", css],
  ["scss less sass stylus postcss", scss],
  [
    "html vue svelte astro vue-html html-eex erb ejs blade",
    [block("<%#", "%>"), block("<%--", "--%>"), block("{{--", "--}}"), ...html],
  ],
  ["handlebars mustache", [block("{{!--", "--}}"), block("{{!", "}}"), ...html]],
  ["jinja jinja-html django-html twig nunjucks", [block("{#", "#}"), ...html]],
  ["razor aspnetcorerazor cshtml", [block("@*", "*@"), ...html]],
  ["xml xsl svg xaml markdown strata-prompt prompt instructions chatagent skill markdown_latex_combined", xml],
  ["php", php],
  ["pug jade", [special.indentedComment("//", /^$/)]],
  ["python gdscript starlark cython snakemake", [line("#"), triple, tripleSingle, double, single]],
  ["ruby crystal", ruby],
  ["perl", perl],
  ["perl6 raku", [special.lineBlock(/=[a-z]\w*/, /^=end\b.*|^=cut\b/), ...hash]],
  ["r", [line("#"), special.rRaw, longString, quoted("'", { lines }), quoted("`", { escape: "" })]],
  [
    "elixir",
    [
      special.escapes("?", questionMark),
      line("#"),
      triple,
      tripleSingle,
      quoted('"', { lines, inserted: "#{" }),
      single,
      special.elixirSigils,
    ],
  ],
  ["toml", [line("#"), triple, quoted("'''", { escape: "", lines }), double, quoted("'", { escape: "" })]],
  [
    "coffeescript",
    [
      block("###", "###"),
      line("#"),
      triple,
      tripleSingle,
      quoted('"', { lines, inserted: "#{" }),
      single,
      regularExpression,
    ],
  ],
  ["terraform hcl tf tfvars", [line("#"), ...slashes, special.shellDocument, quoted('"', { inserted: "${" })]],
  ["jsonnet", [line("#"), ...slashes, double, single]],
  ["graphql", [line("#"), triple, double]],
  [
    "nix",
    [
      line("#"),
      block("/*", "*/"),
      quoted("''", { escape: "", lines, inserted: "${" }),
      quoted('"', { lines, inserted: "${" }),
    ],
  ],
  ["nim", [nested("#[", "]#"), line("#"), triple, double, character()]],
  ["cmake", [special.cmakeComment, line("#"), special.cmakeString, longString]],
  ["julia", [nested("#=", "=#"), line("#"), triple, longString, character()]],
  ["shellscript bash zsh fish awk tcl nginx", shell],
  ["yaml dockercompose github-actions-workflow helm ansible azure-pipelines", yaml],
  ["dotenv", [line("#", "after blank"), quoted('"', { lines }), quoted("'", { escape: "", lines })]],
  ["powershell", powershell],
  ["makefile just", [backslash, line("#")]],
  [
    "dockerfile ignore gitignore git-rebase gitattributes codeowners ssh_config apacheconf crontab",
    [line("#", "line start")],
  ],
  ["properties java-properties", [line("#", "line start"), line("!", "line start")]],
  ["ini editorconfig gitconfig", [line(";", "line start"), line("#", "line start")]],
  ["bat", batch],
  ["vb vba vbscript", basic],
  ["lua luau", [special.luaComment, line("--"), special.luaLong, double, single]],
  ["sql plsql mysql postgres mssql", [line("--"), block("/*", "*/"), singleDoubled, doubleDoubled]],
  ["ada vhdl", [line("--"), quoted('"', { escape: "", doubled: true })]],
  ["haskell elm purescript", haskell],
  ["fsharp", [line("//"), verbatim, ...ml]],
  ["ocaml sml reason", ml],
  ["pascal objectpascal", [line("//"), block("{", "}"), block("(*", "*)"), quoted("'", { escape: "", doubled: true })]],
  ["clojure lisp commonlisp scheme racket elisp fennel", lisp],
  ["wat", [nested("(;", ";)"), line(";;"), double]],
  ["asm nasm", [line(";"), double, single]],
  ["erlang", [special.escapes("$"), line("%"), longString, single]],
  ["prolog", [line("%"), block("/*", "*/"), double, character()]],
  ["latex tex bibtex-style context", [backslash, line("%")]],
  ["matlab octave", [block("%{", "%}", "line start"), line("%"), double]],
  ["fortran fortran-modern fortranfreeform", [line("!"), singleDoubled, doubleDoubled]],
  ["vim viml", [line('"', "line start")]],
  ["restructuredtext", [special.indentedComment("..", /^\.\.(?:\S|$| +(?:\[|_|\||[\w:.+-]+::))/)]],
];

const byLanguage: ReadonlyMap<string, readonly Rule[]> = new Map(
  families.flatMap(([languages, rules]) => languages.split(" ").map(language => [language, rules] as const)),
);

/** undefined for a language that is not known. */
export function rulesOf(languageId: string): readonly Rule[] | undefined {
  return byLanguage.get(languageId);
}

/** Ids of all languages whose comments are known. */
export const languages: readonly string[] = [...byLanguage.keys()];

/** `?#` is a character where no value stands before it. */
function questionMark(text: string, at: number): boolean {
  return !/[\w)\]?]/.test(text.charAt(at - 1)) && !/[\s\w]/.test(text.charAt(at + 1));
}

/** `REM` in any case, where a command begins. */
function remark(word: RegExp, first: string): Rule {
  return {
    first,
    read(scan, at) {
      word.lastIndex = at;
      if (!/(?:^|[\n\r:&])[ \t]*$/.test(scan.text.slice(Math.max(0, at - 100), at)) || !word.test(scan.text)) return at;
      return line(scan.text.charAt(at)).read(scan, at);
    },
  };
}

/** `\\` begins a line of a string. */
function zigString(): Rule {
  return {
    first: "\\",
    read({ text }, at) {
      if (!text.startsWith("\\\\", at)) return at;
      const end = text.indexOf("\n", at);
      return end < 0 ? text.length : end;
    },
  };
}
