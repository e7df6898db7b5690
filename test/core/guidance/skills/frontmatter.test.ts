/** Heads of skills and prompts: the quick way reads what YAML would. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDocument } from "yaml";
import { readFrontmatter } from "../../../../src/core/guidance/skills/parse";
import { isSoak } from "../../../fakes/soak";

const RUNS = isSoak("random") ? 100_000 : 1_000;

describe("heads of skills", function () {
  this.timeout(isSoak("random") ? 1_200_000 : 60_000);
  const byYaml = (yaml: string): unknown => {
    const document = parseDocument(yaml, { logLevel: "silent", uniqueKeys: false });
    if (document.errors.length > 0) return undefined;
    try {
      return document.toJS({ maxAliasCount: 20 });
    } catch {
      return undefined;
    }
  };

  it("say the same, however they are read", () => {
    const pieces = [
      ...["name", "a", "x-y", "true", "null", "No", "~", "e1", "Infinity", "word", "two words", "über", "日本"],
      ...[
        ": ",
        ":",
        " :",
        "#",
        " #",
        "'",
        '"',
        "- ",
        "-",
        "{",
        "[",
        "]",
        ",",
        "|",
        ">",
        "&a",
        "*a",
        "!",
        "%",
        "@",
        "`",
      ],
      ...[
        " ",
        "  ",
        "\n",
        "\n",
        "\n  ",
        "\t",

        "\u00a0",
        "\u2028",
        "\u0085",
        "\ufeff",
        "://",
        "=",
        "?",
        "? ",
        ".",
      ],
    ];
    const some = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map(all => all.join(""));
    let compared = 0;
    fc.assert(
      fc.property(some, some, (name, description) => {
        const yaml = `name: ${name}\ndescription: ${description}\n`;
        const expected = byYaml(yaml);
        const { fields, problem } = readFrontmatter(`---\n${yaml}---\nbody\n`);
        if (expected === undefined || problem !== undefined) return;
        compared++;
        assert.deepEqual(
          fields,
          typeof expected === "object" && expected !== null ? expected : {},
          JSON.stringify(yaml),
        );
      }),
      { numRuns: RUNS },
    );
    assert.ok(compared > RUNS / 20);
  });
});
