/** AskUser: one to four questions to the person. It waits as long as it takes; an answer is words to the model and allows nothing. */
import * as z from "zod";
import description from "../../../../prompts/tools/askUser.md";
import { answerText, type QuestionField } from "../../../shared/question";
import { ToolError } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import { text } from "../../ground/text/toolFacts";
import type { ResultForms } from "../../tool/resultForms";
import { defineTool, lookingCall, success } from "../../tool/tool";

// A person reads all of it at once. Bounds are checked by hand: in the schema they would cost tokens in every session.
const MAX_QUESTIONS = 4;
const MAX_OPTIONS = 8;
/** characters of a question with its options */
const MAX_TEXT = 4_000;

const question = z.object({
  question: z.string().min(1),
  options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).optional(),
  multiple: z.boolean().optional().describe("Several may be chosen"),
});
const input = z.object({ questions: z.array(question).min(1).describe(`1 to ${MAX_QUESTIONS}`) });

export const askUserTool = () =>
  defineTool({
    name: "AskUser",
    description,
    input,
    effect: "session",
    forms,
    async prepare({ questions }) {
      const fields = toFields(questions);
      return lookingCall("AskUser", { title: `Ask: ${titles(fields)}`, about: [questions] }, async run => {
        const form = { fields };
        const answer = await run.ask(form);
        const isThere = answer.by !== "nobody";
        return success({
          data: { answer: isThere ? answerText(form, answer) : "nobody was there" },
          text: isThere ? answerText(form, answer) : NOBODY,
          digest: `AskUser ${titles(fields)}`,
          partial: !isThere,
        });
      });
    },
  });

const NOBODY =
  "Nobody is there to answer. Take what you would recommend, go on, and say in your answer what you assumed and what the user should decide.";

/** Decisions stay: the work follows from them. */
const forms: ResultForms = { kept: () => undefined, folded: facts => oneLine(text(facts, "answer"), 40) };

const titles = (fields: readonly QuestionField[]) => oneLine(fields.map(({ title }) => title).join(" · "), 200);

function toFields(questions: z.infer<typeof input>["questions"]): QuestionField[] {
  if (questions.length > MAX_QUESTIONS)
    refuse(`${questions.length} questions are too many: ask ${MAX_QUESTIONS} at most.`);
  return questions.map(({ question: asked, options = [], multiple = false }, at) => {
    const labels = options.map(({ label }) => label.trim());
    if (options.length > MAX_OPTIONS || JSON.stringify([asked, options]).length > MAX_TEXT)
      refuse(`A question may have ${MAX_OPTIONS} options, and ${MAX_TEXT} characters with them.`);
    if (new Set(labels).size < labels.length || labels.includes("")) refuse("Each option needs a label of its own.");
    return {
      type: "choice",
      name: `q${at + 1}`,
      title: asked.trim(),
      required: false,
      ownWords: true,
      multiple,
      options: options.map((option, place) => ({
        value: option.label.trim(),
        label: option.label.trim(),
        ...(option.description?.trim() && { description: option.description.trim() }),
        // Of a single option there is nothing to recommend.
        ...(place === 0 && options.length > 1 && { recommended: true as const }),
      })),
    };
  });
}

function refuse(why: string): never {
  throw new ToolError("INVALID_INPUT", `${why} The user was not asked. Send the call again, shorter.`);
}
