/** Every text that a shape fits has one of its signs: texts are made from the expressions themselves. */
import assert from "node:assert/strict";
import { OutputDigest } from "../../../src/core/commands/output/outputDigest";
import { LineRedactor } from "../../../src/core/secrets/lineRedactor";
import { createRedactor } from "../../../src/core/secrets/redact";
import { shapes, shapesIn } from "../../../src/core/secrets/shapes";
import { Random } from "../../fakes/random";

const TEXTS = 400;
const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

/** A text that an expression may fit: what only looks around is left out. */
class Maker {
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly random: Random,
  ) {}

  text(): string {
    this.at = 0;
    return this.alternatives();
  }

  private alternatives(): string {
    const made = [this.sequence()];
    while (this.source[this.at] === "|") {
      this.at += 1;
      made.push(this.sequence());
    }
    return this.random.pick(made);
  }

  private sequence(): string {
    let made = "";
    while (this.at < this.source.length && !"|)".includes(this.source[this.at] ?? "")) {
      const from = this.at;
      const first = this.atom();
      const [least, most] = this.quantity();
      const count = this.random.int(least, most);
      const end = this.at;
      for (let nth = 0; nth < count; nth += 1) {
        this.at = from;
        made += nth === 0 ? first : this.atom();
      }
      this.at = end;
    }
    return made;
  }

  private quantity(): [number, number] {
    const [whole = "", range] = /^(?:[*+?]|\{([\d,]+)\})/.exec(this.source.slice(this.at)) ?? [];
    this.at += whole.length;
    if (whole === "") return [1, 1];
    if (whole === "?") return [0, 1];
    if (range === undefined) return [whole === "+" ? 1 : 0, 6];
    const [least = 0, most] = range.split(",").map(Number);
    if (!range.includes(",")) return [least, least];
    return [least, Math.min(most || least + 6, least + 6)];
  }

  private atom(): string {
    const rest = this.source.slice(this.at);
    const [group] = /^\((?:\?(?:<?[=!]|:))?/.exec(rest) ?? [];
    if (group !== undefined) {
      this.at += group.length;
      const made = this.alternatives();
      this.at += 1;
      return /[=!]/.test(group) ? "" : made;
    }
    const [set] = /^\[(?:\\.|[^\]\\])*\]/.exec(rest) ?? /^\\./.exec(rest) ?? [];
    this.at += (set ?? ".").length;
    if (set === "\\b" || rest[0] === "^" || rest[0] === "$") return "";
    const fits = new RegExp(`^${set ?? rest[0]}$`);
    return this.random.pick(PRINTABLE.filter(each => fits.test(each)));
  }
}

describe("signs of shapes", () => {
  for (const [at, { name, pattern, signs }] of shapes.entries()) {
    it(`of ${name}: each text that it fits has one${signs === undefined ? ", since it is always looked for" : ""}`, () => {
      const random = new Random(at + 1);
      const [maker, whole] = [new Maker(pattern.source, random), new RegExp(pattern.source, pattern.flags)];
      let fitted = 0;
      for (let nth = 0; nth < TEXTS; nth += 1) {
        const made = maker.text();
        const text = random.pick([
          `${made} `,
          `"${made}"`,
          `x ${made}, y`,
          `https${made}@host`,
          pattern.flags.includes("i") ? made.toUpperCase() : made,
        ]);
        whole.lastIndex = 0;
        if (!whole.test(text)) continue;
        fitted += 1;
        assert.notEqual((shapesIn(text) >>> at) & 1, 0, text);
      }
      assert.ok(fitted > TEXTS / 20, `only ${fitted} texts were such`);
    });
  }

  it("leave few lines of an output to expressions: what they and walks see of it, in characters for each that comes", () => {
    const line = (at: number) =>
      `[${at % 100}%] Compiling src/shop/order${at}.ts (${at} of 2000), ${at * 3} ms so far\n`;
    const text = Array.from({ length: 2_000 }, (_, at) => line(at)).join("");
    const [expressions, walks] = [RegExp.prototype, String.prototype];
    const { exec } = expressions;
    const { charCodeAt } = walks;
    const seen = { byExpressions: 0, byWalks: 0 };
    expressions.exec = function (of) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const found = exec.call(this, of);
      seen.byExpressions += (found ? found.index + found[0].length : of.length) - from;
      return found;
    };
    walks.charCodeAt = function (at) {
      seen.byWalks += 1;
      return charCodeAt.call(this, at);
    };
    try {
      const digest = new OutputDigest();
      digest.push("stdout", new LineRedactor(createRedactor(String).redact).push(text));
      digest.end();
    } finally {
      Object.assign(expressions, { exec });
      Object.assign(walks, { charCodeAt });
    }
    const each = { expressions: seen.byExpressions / text.length, walks: seen.byWalks / text.length };
    assert.ok(each.expressions < 8 && each.walks < 3.5, JSON.stringify(each));
  });
});
