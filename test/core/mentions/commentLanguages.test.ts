// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they stand in the texts that are scanned
/** Where comments are in languages that are not like C. In the cases `⟦` and `⟧` stand around each. */
import { checkComments as check } from "./commentCheck";

describe("comments", () => {
  it("of scripting languages", () => {
    check(
      "python",
      "a ⟦# b⟧\nc",
      "'# a' ⟦# b⟧",
      '"""# a\n"b" """ ⟦# c⟧',
      "'''\n# a''' ⟦# b⟧",
      "@app.route('/')\ndef f(): ⟦# a⟧",
      "'it\\'s # a' ⟦# b⟧",
      "'open # a\n⟦# b⟧",
    );
    check(
      "ruby",
      "a ⟦# b⟧\nc",
      "\"#{a '# b'} # c\" ⟦# d⟧",
      "⟦=begin\n# a\n=end⟧\nb",
      "x = <<~EOS\n# a\nEOS\n⟦# b⟧",
      "x = <<-'SQL'\n# a\n  SQL\n⟦# b⟧",
      "%w(# a) ⟦# b⟧",
      'x = /#"/ ⟦# a⟧',
      "a << b ⟦# c⟧",
      "?# ⟦# a⟧",
      "a % b ⟦# c⟧",
      "⟦# a⟧\n__END__\n# b",
    );
    check(
      "perl",
      "a ⟦# b⟧",
      "$#a ⟦# b⟧",
      "q{# a} ⟦# b⟧",
      "qw(# a) ⟦# b⟧",
      "s/#/a/ ⟦# b⟧",
      "s{#}{# a} ⟦# b⟧",
      "⟦=head1 a\n# b\n=cut⟧\nc",
      "m!#! ⟦# a⟧",
      "y => 1, ⟦# a⟧",
      "$x =~ /#/ ⟦# a⟧",
      "print <<EOT;\n# a\nEOT\n⟦# b⟧",
    );
    check(
      "lua",
      "a ⟦-- b⟧\nc",
      "⟦--[[ a\n-- b ]]⟧ c",
      "⟦--[==[ ]] ]==]⟧ a",
      "[[-- a]] ⟦-- b⟧",
      "[=[ ]] -- a ]=] ⟦-- b⟧",
      "'-- a' ⟦-- b⟧",
    );
    check("r", "a ⟦# b⟧", "'# a' ⟦# b⟧", 'r"(# " a)" ⟦# b⟧', 'r"---[# ]" ]---" ⟦# b⟧');
    check(
      "elixir",
      '@doc """\n# a\n""" ⟦# b⟧',
      '"#{a} # b" ⟦# c⟧',
      "~s(# a) ⟦# b⟧",
      "?# ⟦# a⟧",
      "~r/#/ ⟦# a⟧",
      "@spec a ⟦# b⟧",
    );
    check("julia", "⟦#= a #= b =# c =#⟧ d ⟦# e⟧", '"""# a""" ⟦# b⟧', "'#' ⟦# a⟧", "a' ⟦# it's⟧");
    check("coffeescript", "⟦### a\n# b ###⟧ c ⟦# d⟧", '"#{a} # b" ⟦# c⟧');
    check("nim", "⟦#[ a #[ b ]# ]#⟧ c ⟦# d⟧");
    check("tcl awk fish", "a ⟦# b⟧\n⟦# c⟧");
  });

  it("of shells", () => {
    check(
      "shellscript bash zsh",
      "⟦#!/bin/sh⟧\necho a ⟦# b⟧",
      "echo ${a#b} $# a#b ⟦# c⟧",
      "echo '# a' ⟦# b⟧",
      'echo "# a\n# b" ⟦# c⟧',
      "echo it\\'s ⟦# a⟧",
      "echo 'a\\' ⟦# b⟧",
      "echo $'a\\'# b' ⟦# c⟧",
      "cat <<EOF\n# a\nEOF\n⟦# b⟧",
      "cat <<-'END'\n\t# a\n\tEND\n⟦# b⟧",
      "a;⟦# b⟧",
    );
    check(
      "powershell",
      "a ⟦# b⟧",
      "⟦<# a\n# b #>⟧ c",
      "'# a''# b' ⟦# c⟧",
      '"`"# a" ⟦# b⟧',
      '@"\n# a "\n"@ ⟦# b⟧',
      "$a#b ⟦# c⟧",
    );
    check("bat", "⟦REM a⟧\necho REM b", "⟦@rem a⟧\r\n⟦:: b⟧", "echo a & ⟦rem b⟧", ":label\nset remark=1");
    check("dockerfile", "⟦# a⟧\nRUN a # b", "RUN a && \\\n  ⟦# b⟧\n  c");
    check("makefile", "a: b ⟦# c⟧\n\techo \\# d ⟦# e⟧");
  });

  it("of settings and data", () => {
    check(
      "yaml dockercompose",
      "a: b ⟦# c⟧",
      "a: b#c",
      "a: '# b' ⟦# c⟧",
      'a: "# b" ⟦# c⟧',
      "a: it's ⟦# b⟧\nc: it's",
      "a: |\n  # b\n\n  # c\nd: e ⟦# f⟧",
      "- >-\n  # a\n- b ⟦# c⟧",
      "- a: |\n    # b\n  c: d ⟦# e⟧",
      "a: b | c ⟦# d⟧",
      "run: 'a''# b' ⟦# c⟧",
    );
    check("toml", "a = '# b' ⟦# c⟧", 'a = """\n# b\n""" ⟦# c⟧', "a = '\\' ⟦# b⟧", "⟦# a⟧");
    check("ini", "⟦; a⟧\n[b]\n⟦# c⟧\nd = e ; f");
    check("properties", "⟦# a⟧\nb=c # d\n  ⟦! e⟧");
    check("ignore", "⟦# a⟧\nb#c");
    check("dotenv", "A=b ⟦# c⟧\nD='# e' ⟦# f⟧");
    check("json jsonc", '{"a": "// b", "@c": 1} ⟦// d⟧');
    check("sql", "a ⟦-- b⟧\nc", "'-- a''-- b' ⟦-- c⟧", '"-- a" ⟦/* b */⟧', "'a\n-- b' ⟦-- c⟧", "$$ ⟦-- a⟧\n$$");
    check("graphql", 'a ⟦# b⟧\n"""\n# c\n"""');
    check("terraform", '⟦# a⟧\n⟦// b⟧\n⟦/* c */⟧ d = "${e("#")} # f" ⟦# g⟧', "a = <<-EOT\n# b\n  EOT\n⟦# c⟧");
    check("nix", "a = ''# b'' ⟦# c⟧", "⟦/* a */⟧ b");
    check("cmake", "⟦#[[ a\nb ]]⟧ c ⟦# d⟧", 'set(a "# b") ⟦# c⟧');
    check("restructuredtext", "⟦.. a\n   b⟧\n\nc", ".. code:: x\n\n   # a", ".. _a: b", ".. [1] a");
  });

  it("of functional and older languages", () => {
    check("haskell", "a ⟦-- b⟧", "⟦{- a {- b -} c -}⟧ d", "a --> b", "a |-- b", '"-- a" ⟦-- b⟧', "foo' = '\"' ⟦-- a⟧");
    check(
      "fsharp",
      "⟦(* a (* b *) c *)⟧ d ⟦// e⟧",
      '@"\\" ⟦// a⟧',
      '"""// " a""" ⟦// b⟧',
      "(*) a ⟦// b⟧",
      "'a list ⟦// b⟧",
    );
    check("ocaml", "⟦(* a (* b *) *)⟧ c", '"(* a" ⟦(* b *)⟧');
    check("clojure", "a ⟦; b⟧", '"; a" ⟦; b⟧', "\\; ⟦; a⟧", '#"; a" ⟦; b⟧', "@atom ⟦;; @b⟧");
    check("scheme lisp", "⟦#| a #| b |# |#⟧ c ⟦; d⟧");
    check("erlang", "a ⟦% b⟧", '"% a" ⟦% b⟧', "$% ⟦% a⟧");
    check("latex tex", "a ⟦% b⟧", "10\\% a ⟦% b⟧");
    check("vb", "a ⟦' b⟧", '"\' a""\' b" ⟦\' c⟧', "⟦REM a⟧\nremark = 1");
    check("pascal", "⟦{ a }⟧ b ⟦(* c *)⟧ d ⟦// e⟧", "'{ a }' ⟦{ b }⟧");
    check("ada", 'a ⟦-- b ⟧\n"-- c"');
    check("wat", "⟦(; a ;)⟧ b ⟦;; c⟧");
    check("matlab", "a ⟦% b⟧\n⟦%{\na\n%}⟧\nc");
    check("vim", '⟦" a⟧\nlet b = "c"');
  });
});
