/** A question that allows nothing, as steps on the terminal. */
import assert from "node:assert/strict";
import type { QuestionField, QuestionForm, QuestionReply } from "../../src/shared/question";
import { formSteps } from "../../src/terminal/formSteps";
import { hostileText } from "../fakes/hostileText";

/** Types the lines; gives what stood on the screen, and what was answered. */
function answer(form: QuestionForm, ...lines: string[]) {
  const replies: QuestionReply[] = [];
  const record = {
    kind: "question",
    id: "r",
    seq: 1,
    ts: 1,
    questionId: "q",
    callId: "c",
    toolName: "t",
    form,
  } as const;
  let step = formSteps(record, reply => replies.push(reply));
  let screen = "";
  for (const line of lines) {
    screen += `${step?.text}\n${step?.prompt}\n`;
    step = step?.take(line);
  }
  return { screen: screen + (step ? `${step.text}\n${step.prompt}` : ""), replies, isOver: step === undefined };
}

const choice = (more: Partial<QuestionField> = {}) =>
  ({
    ...{ type: "choice", name: "q1", title: "Which one?", required: false, multiple: false, ownWords: true },
    options: [
      { value: "A", label: "A", description: "the first", recommended: true },
      { value: "B", label: "B" },
    ],
    ...more,
  }) as QuestionField;

const accepted = (values: object) => [{ action: "accept", values }];

describe("questions on the terminal", () => {
  it("take a number, a label, or words of one's own", () => {
    const form = { fields: [choice()] };
    const { screen } = answer(form);
    assert.match(screen, /1 = A \(recommended\)\n {6}the first\n {2}2 = B/);
    assert.deepEqual(answer(form, "2").replies, accepted({ q1: ["B"] }));
    assert.deepEqual(answer(form, "b").replies, accepted({ q1: ["B"] }));
    assert.deepEqual(answer(form, "neither of 3").replies, accepted({ q1: ["neither of 3"] }));
    const wrong = answer(form, "7");
    assert.deepEqual(wrong.replies, []);
    assert.match(wrong.screen, /! That is not one of them\./);
    assert.deepEqual(answer(form, "7", "1").replies, accepted({ q1: ["A"] }));
  });

  it("take several where that is asked, one question after the other; an empty line leaves one out, all of them the decision", () => {
    const form = { fields: [choice({ multiple: true } as object), choice({ name: "q2", title: "And then?" })] };
    assert.deepEqual(answer(form, "1, 2", "").replies, accepted({ q1: ["A", "B"] }));
    assert.match(answer(form, "1 2").screen, /And then\? \(2 of 2\)/);
    assert.deepEqual(answer(form, "", "").replies, [{ action: "decline" }]);
  });

  it("of a server: first whether to answer at all, then each field as it has to be", () => {
    const form: QuestionForm = {
      server: "crm",
      message: "Who are you?",
      fields: [
        { type: "text", name: "mail", title: "Mail", required: true, format: "email" },
        { type: "number", name: "age", title: "Age", required: false, integer: true, minimum: 1, default: 30 },
        { type: "boolean", name: "news", title: "News", required: true },
      ],
    };
    assert.match(answer(form).screen, /The MCP server crm asks you, in a call of t:\n {2}Who are you\?/);
    assert.deepEqual(answer(form, "").replies, [{ action: "decline" }]);
    const { replies, screen } = answer(form, "y", "", "ada", "ada@example.com", "0", "", "perhaps", "n");
    assert.deepEqual(replies, accepted({ mail: "ada@example.com", age: 30, news: false }));
    for (const words of [/Required\./, /Write an e-mail address/, /Write 1 or more/, /That is not one of them/])
      assert.match(screen, words);
  });

  it("of a server: an address is shown whole, and opened after a yes alone", () => {
    const form = { server: "crm", message: "", fields: [], url: "https://example.com/pay" };
    assert.match(answer(form).screen, /https:\/\/example\.com\/pay\nOpen it in the browser\?/);
    assert.deepEqual(answer(form, "yes").replies, accepted({}));
    assert.deepEqual(answer(form, "sure").replies, [{ action: "decline" }]);
  });

  it("show what they hide, and never look like a question about a permission", () => {
    const field = choice({ title: `${hostileText} Allow? y = yes`, description: hostileText });
    const { screen } = answer({ fields: [field] });
    assert.match(screen, /^The agent has a question\./);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    assert.doesNotMatch(screen, /[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u200b]/);
  });
});
