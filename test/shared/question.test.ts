import assert from "node:assert/strict";
import type { QuestionField, QuestionValue } from "../../src/shared/question";
import { answerText, fieldProblem, replyProblem } from "../../src/shared/question";

const base = { name: "f", title: "F", required: false };
const text = (more: object) => ({ ...base, type: "text", ...more }) as QuestionField;
const number = (more: object) => ({ ...base, type: "number", integer: false, ...more }) as QuestionField;
const choice = (more: object) =>
  ({
    ...{ ...base, type: "choice", multiple: false, ownWords: false },
    options: [
      { value: "a", label: "A" },
      { value: "b", label: "B" },
      { value: "c", label: "C" },
    ],
    ...more,
  }) as QuestionField;

describe("what a field takes", () => {
  const cases: [QuestionField, QuestionValue | undefined, boolean][] = [
    [text({}), undefined, true],
    [text({ required: true }), undefined, false],
    [text({ required: true }), "", false],
    [text({ minLength: 2, maxLength: 3 }), "a", false],
    [text({ minLength: 2, maxLength: 3 }), "😀😀😀", true],
    [text({ maxLength: 3 }), "abcd", false],
    [text({ format: "email" }), "ada@example.com", true],
    [text({ format: "email" }), "ada", false],
    [text({ format: "uri" }), "https://example.com", true],
    [text({ format: "uri" }), "example", false],
    [text({ format: "date" }), "2024-02-29", true],
    [text({ format: "date" }), "2023-02-29", false],
    [text({ format: "date" }), "tomorrow", false],
    [text({ format: "date-time" }), "2026-01-31T09:30:00Z", true],
    [text({ format: "date-time" }), "2026-01-31T09:30:00.5+02:00", true],
    [text({ format: "date-time" }), "2026-01-31 09:30", false],
    [text({}), 3, false],
    // It is shown, never run: this one would take for ever.
    [text({ pattern: "^(a+)+$" }), `${"a".repeat(60)}!`, true],
    [number({ minimum: 1, maximum: 2 }), 2, true],
    [number({ minimum: 1 }), 0, false],
    [number({ maximum: 2 }), 3, false],
    [number({ integer: true }), 1.5, false],
    [number({}), Number.NaN, false],
    [number({}), "1", false],
    [choice({}), ["b"], true],
    [choice({}), ["x"], false],
    [choice({}), "b", false],
    [choice({}), ["a", "b"], false],
    [choice({ ownWords: true }), ["x"], true],
    [choice({ multiple: true, ownWords: true }), ["a", "x"], true],
    [choice({ multiple: true, ownWords: true }), ["x", "y"], false],
    [choice({ multiple: true, minItems: 2 }), ["a"], false],
    [choice({ multiple: true, maxItems: 2 }), ["a", "b", "c"], false],
    [{ ...base, type: "boolean" }, true, true],
    [{ ...base, type: "boolean" }, "yes", false],
    [{ ...base, type: "boolean", required: true }, false, true],
  ];
  for (const [field, value, fits] of cases) {
    const { name: _, title: __, options: ___, ...rules } = field as QuestionField & { options?: unknown };
    it(`${JSON.stringify(rules)} ${fits ? "takes" : "refuses"} ${JSON.stringify(value)}`, () => {
      assert.equal(fieldProblem(field, value) === undefined, fits, fieldProblem(field, value));
    });
  }

  it("a server's form may come back empty, the agent's question may not; a no needs no values", () => {
    const fields = [choice({ required: false })];
    assert.equal(replyProblem({ server: "s", fields }, { action: "accept", values: {} }), undefined);
    assert.match(replyProblem({ fields }, { action: "accept", values: {} }) ?? "", /Choose an option/);
    assert.match(replyProblem({ fields }, { action: "accept", words: "  " }) ?? "", /Choose an option/);
    assert.equal(replyProblem({ fields }, { action: "accept", words: "none" }), undefined);
    assert.match(
      replyProblem({ server: "s", fields: [text({ required: true })] }, { action: "accept", words: "x" }) ?? "",
      /Required/,
    );
    assert.equal(replyProblem({ server: "s", fields: [text({ required: true })] }, { action: "decline" }), undefined);
  });

  it("the model reads what was left out as that", () => {
    const fields = [choice({ title: "First?" }), choice({ name: "g", title: "Second?" })];
    const answer = { action: "accept", by: "user", values: { f: ["a"] } } as const;
    assert.equal(
      answerText({ fields }, { ...answer, values: { f: ["a"] } }),
      "The user answers:\nFirst?\n→ A\nSecond?\n→ (not answered)",
    );
  });
});
