/** One report, as a page and in a terminal: the same words, and nothing in them steers either. */
import assert from "node:assert/strict";
import { marked } from "marked";
import { type Report, reportPage } from "../../../../src/core/ground/text/report";
import { hooksReport } from "../../../../src/core/guidance/hooks/report";
import { printReport } from "../../../../src/terminal/output";
import { printed } from "../../../terminal/printed";

function print(report: Report): string {
  const { texts, streams } = printed();
  printReport(report, streams);
  return texts.out;
}

describe("a report", () => {
  const report: Report = {
    title: "Things",
    lead: "One thing.",
    sections: [
      {
        ...{ title: "a.json", from: "1 thing, off", detail: "of yours", warnings: ["broken"] },
        lines: [{ label: "first", from: "here", detail: "it does", warnings: ["odd"], text: "one\ntwo" }],
      },
    ],
  };

  it("in a terminal: how far it stands in says what it belongs to", () => {
    assert.equal(
      print(report),
      [
        "a.json  (1 thing, off)",
        "  of yours",
        "  ! broken",
        "  first  (here)",
        "    it does",
        "    ! odd",
        "    one",
        "    two",
        "",
      ].join("\n"),
    );
  });

  it("on a page: headings, names in bold, places in code font, what was printed as it is", () => {
    assert.equal(
      reportPage(report)[1],
      [
        "# Things",
        "One thing.",
        "## a&#46;json",
        "of yours  \n⚠ broken  \n`1 thing, off`",
        "**first**  \nit does  \n⚠ odd  \n`here`",
        "~~~text\none\ntwo\n~~~",
      ].join("\n\n"),
    );
  });

  it("without sections: its lead alone", () => {
    const empty = { title: "Things", lead: "There are none.", sections: [] };
    assert.equal(print(empty), "There are none.\n");
    assert.deepEqual(reportPage(empty), ["Things.md", "# Things\n\nThere are none."]);
  });

  const hostile = [
    "<img src=x onerror=1>",
    "[a](command:workbench.action.quit)",
    "![a](https://a.example/b.png)",
    "# big\n- list",
    "~~~\n<b>",
    "\u001b[2J\u202egnp.exe",
    "`x` **y** https://f.example &lt;",
  ];
  for (const words of hostile)
    it(`nothing in its words is more than words: ${JSON.stringify(words)}`, () => {
      const part = { from: words, detail: words, warnings: [words], text: words };
      const strange = { title: "Things", sections: [{ title: words, ...part, lines: [{ label: words, ...part }] }] };
      const html = String(marked.parse(reportPage(strange)[1]));
      assert.doesNotMatch(html, /<(?!\/?(?:h1|h2|p|strong|br|code|pre)\b)/, html);
      assert.equal(html.match(/<h[1-6]/g)?.length, 2, html);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
      assert.doesNotMatch(print(strange) + html, /[\u001b\u202e]/);
      const indented = print(strange).split("\n").slice(1, -1);
      assert.ok(
        indented.every(line => line.startsWith("  ")),
        "what is of others begins no line of its own",
      );
    });
});

describe("reports", () => {
  const hook = { event: "PreToolUse", matcher: "Bash", command: "echo $(date)", timeoutMs: 1, source: "a" } as never;
  const file = {
    ...{ path: ".claude/settings.json", key: "k", waits: true, switchesOff: false, hooks: [hook], exact: "" },
    ...{ problems: ["One is of no use."], scripts: ["a.sh", "b.sh"] },
  };

  it("of hooks: each file with its state, what runs, what with, what is wrong", () => {
    const report = hooksReport({ files: [file], broken: [{ path: "x.json", problem: "x.json cannot be read." }] });
    assert.equal(
      print(report),
      [
        ".claude/settings.json  (1 hook, needs approval)",
        "  ! One is of no use.",
        "  PreToolUse Bash: echo $(date)",
        "  with a.sh, b.sh",
        "x.json",
        "  ! x.json cannot be read.",
        "",
      ].join("\n"),
    );
  });
});
