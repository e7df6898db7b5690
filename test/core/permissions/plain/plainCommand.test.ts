import assert from "node:assert/strict";
import { type PlainProgram, readPlain } from "../../../../src/core/permissions/plain/plainCommand";
import { certain } from "./certain";
import { doings } from "./doings";
import { tricks, unmarked } from "./tricks";

const LIMIT = 10_000;

/** Files of the same kind in one list, in order. */
function shown(programs: readonly PlainProgram[]): string {
  const lists: { kind: string; paths: string[] }[] = [];
  for (const { path, shows, fromTopOf, followsLinks, skipsHidden, endings = [] } of programs.flatMap(
    ({ files }) => files,
  )) {
    const marks = (followsLinks ? ">" : "") + (skipsHidden ? "." : "") + endings.map(each => `*${each}`).join("");
    const kind = shows.slice(0, 1) + marks;
    if (lists.at(-1)?.kind !== kind) lists.push({ kind, paths: [] });
    lists.at(-1)?.paths.push(fromTopOf === undefined ? path : `${fromTopOf.replace(/^\.$/, "")}^${path}`);
  }
  return lists.map(({ kind, paths }) => `${kind} ${paths.join("|")}`).join(" / ");
}

function read(command: string) {
  const plain = readPlain(command);
  return "why" in plain ? plain : { ...plain, shown: shown(plain.programs) };
}

const programsOf = (command: string): readonly PlainProgram[] => {
  const plain = readPlain(command);
  return "why" in plain ? assert.fail(plain.why) : plain.programs;
};

describe("command lines that are certain", () => {
  it("are taken apart, with the files that they show", () => {
    const wrong: string[] = [];
    for (const [, command = "", folder, expected = ""] of certain.matchAll(
      /^(.+)\n =(?: @(.+?)(?= [tcn] |$))?(.*)$/gm,
    )) {
      const plain = read(command);
      const found = "why" in plain ? plain.why : plain.shown;
      const inFolder = "why" in plain ? undefined : plain.folder;
      const isSame = found.replaceAll("|", " ") === expected.trim().replaceAll("|", " ") && inFolder === folder;
      if (!isSame) wrong.push(`${command} → ${inFolder ?? ""} ${found}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("have the words that a shell makes of them", () => {
    const words = (command: string) => programsOf(command).map(each => each.words);
    assert.deepEqual(words("grep  -rn 'a  b' --include=\"*.ts\" . | head -5;pwd"), [
      ["grep", "-rn", "a  b", "--include=*.ts", "."],
      ["head", "-5"],
      ["pwd"],
    ]);
    assert.deepEqual(words("cut -d',' -f1 '' \"\" 2>/dev/null"), [["cut", "-d,", "-f1", "", ""]]);
  });

  it("tell Git and what a shell has itself", () => {
    assert.deepEqual(
      programsOf("git status && echo a && ls").map(({ git, builtin }) => [git, builtin]),
      [
        [true, undefined],
        [undefined, true],
        [undefined, undefined],
      ],
    );
  });
});

describe("command lines that are not certain", () => {
  it("are what any shell may read in another way, and what may do more than read", () => {
    const commands = `${tricks}${doings}`.split("\n").filter(Boolean);
    assert.deepEqual(
      commands.filter(command => !("why" in readPlain(unmarked(command)))),
      [],
    );
    assert.ok(commands.length > 300);
  });

  it("say why, as a part of a sentence", () => {
    const why = (command: string) => {
      const plain = readPlain(command);
      return "why" in plain ? plain.why : "";
    };
    assert.equal(why("cat $x"), "uses `$` as more than plain text");
    assert.equal(why("cat a=b"), "uses `a=b` as more than plain text");
    assert.equal(why("cat a'b'"), "uses `a'b'` as more than plain text");
    assert.equal(why("ls &"), "uses `&` as more than plain text");
    assert.equal(why("ls; "), "has an empty part");
    assert.equal(why("make x"), "starts `make`, which is not known to only read");
    assert.equal(why("sort -o a"), "gives `sort` `-o`, which is not known to only read");
    assert.equal(why("uniq a b"), "gives `uniq` words that may do more than read");
    assert.equal(why("cd a && ls; cat b"), "reads on in another folder if `cd` fails");
    assert.equal(why("ls\nls"), "has a line break or a character that cannot be seen");
  });
});

describe("long command lines", () => {
  it("are refused at the limit, at once", () => {
    assert.ok("why" in readPlain(`echo ${"a".repeat(8_000_000)}`));
    assert.ok("why" in readPlain(`echo ${"a".repeat(LIMIT)}`));
    assert.ok(!("why" in readPlain(`echo ${"a".repeat(LIMIT - 5)}`)));
    assert.ok(!("why" in readPlain(Array(50).fill("ls").join(";"))));
    assert.ok("why" in readPlain(Array(51).fill("ls").join(";")));
  });

  it("take no time that grows with their square", function () {
    this.timeout(20_000);
    const beginnings =
      "|cat |ls -l |grep -e |git log |git diff -- |find |find . |sed -n |sed -n '|awk '|jq '|ps -o |man |printf '|rg ";
    const pieces = ["a ", "a", "'", "' '", "-a ", "-l ", "-e a ", "--", "-- ", ":", ":(", "/", "/a/,", "/a/p;", "1p;"];
    const more = [
      "$1,",
      '"',
      '" "',
      "-not ",
      "(",
      "pid,",
      "%s",
      "=",
      "HEAD~",
      "à",
      "𐐀",
      " ",
      "|",
      ";",
      "&&",
      "2>&1 ",
      "NR>1 && ",
    ];
    for (const beginning of beginnings.split("|"))
      for (const piece of [...pieces, ...more])
        for (const end of ["", "'", "p'", "}'"]) {
          const room = LIMIT - beginning.length - end.length;
          readPlain(beginning + piece.repeat(Math.floor(room / piece.length)) + end);
        }
  });
});
