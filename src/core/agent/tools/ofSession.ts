/** Tools that work on the session itself: AskUser, TodoWrite, Skill. */
import * as z from "zod";
import askDescription from "../../../../prompts/tools/askUser.md";
import skillDescription from "../../../../prompts/tools/skill.md";
import todoDescription from "../../../../prompts/tools/todoWrite.md";
import { answerText, type QuestionField } from "../../../shared/question";
import { type Todo, todoSchema } from "../../../shared/toolResult";
import { ToolError } from "../../ground/ports/index";
import { oneLine } from "../../ground/text/format";
import { number, text } from "../../ground/text/json";
import { skillSource } from "../../ground/text/sources";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import type { Skill } from "../../guidance/skills/parse";
import { skillNames, skillText } from "../../guidance/skills/texts";
import { leftOutNote, type ResultForms } from "../../tool/resultForms";
import { defineTool, lookingCall, success, type ToolOutcome } from "../../tool/tool";

// AskUser: one to four questions to the person. It waits as long as it takes; an answer is words to the model and allows nothing.

// A person reads the whole at once. Bounds are checked by hand: in the schema they would cost tokens in every session.
const MAX_QUESTIONS = 4;
const MAX_OPTIONS = 8;
/** characters of a question with its options */
const MAX_TEXT = 4_000;

const question = z.object({
  question: z.string().min(1),
  options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).optional(),
  multiple: z.boolean().optional().describe("Several may be chosen"),
});
const askInput = z.object({ questions: z.array(question).min(1).describe(`1 to ${MAX_QUESTIONS}`) });

export const askUserTool = () =>
  defineTool({
    name: "AskUser",
    description: askDescription,
    input: askInput,
    effect: "session",
    forms: askForms,
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
const askForms: ResultForms = { kept: () => undefined, folded: facts => oneLine(text(facts, "answer"), 40) };

const titles = (fields: readonly QuestionField[]) => oneLine(fields.map(({ title }) => title).join(" · "), 200);

function toFields(questions: z.infer<typeof askInput>["questions"]): QuestionField[] {
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

// TodoWrite: the whole list each time.

const todoInput = z.object({ todos: z.array(todoSchema.omit({ activeForm: true })) });

export const todoWriteTool = () =>
  defineTool({
    name: "TodoWrite",
    description: todoDescription,
    input: todoInput,
    effect: "session",
    forms: todoForms,
    async prepare({ todos }) {
      const current = todos.filter(todo => todo.status === "in_progress");
      if (current.length > 1) {
        const names = current.map(todo => `"${todo.content}"`).join(", ");
        const words = `One todo at most may be in progress; ${current.length} are: ${names}. The list is unchanged.`;
        throw new ToolError("INVALID_INPUT", words);
      }
      return lookingCall("TodoWrite", { title: "Update todos", about: [todos] }, async () => performed(todos));
    },
  });

/** characters of a list that is sent again unchanged */
const SHORT_LIST = 120;

const todoForms: ResultForms = {
  input: list => {
    const { success: isList, data } = todoInput.safeParse(list);
    if (!isList) return undefined;
    const [left = [], stay = []] = [false, true].map(now => data.todos.filter(isCurrent(now)));
    const characters = left.reduce((sum, { content }) => sum + content.length, 0);
    const note = leftOutNote(characters, "the recap stands below, the list as it is now at the end");
    return characters > SHORT_LIST ? { todos: [...stay, { content: note, status: "pending" }] } : undefined;
  },
  folded: facts => `${number(facts, "done")} of ${number(facts, "total")} done`,
};

const isCurrent =
  (now: boolean) =>
  ({ status }: { status: string }) =>
    (status === "in_progress") === now;

function performed(todos: readonly Todo[]): ToolOutcome {
  const done = todos.filter(todo => todo.status === "completed").length;
  const current = todos.find(todo => todo.status === "in_progress");
  const recap = todos.length === 0 ? "The todo list is empty" : `${done} of ${todos.length} todos done`;
  const now = current ? `; now: ${current.content}` : "";
  return success({
    data: { recap: `${recap}${now}.`, total: todos.length, done, current: current?.content ?? null },
    text: `${recap}${now}.`,
    digest: `TodoWrite ${recap.toLowerCase()}${now}`,
    todos: [...todos],
  });
}

// Skill: loads instructions for a kind of task. Their text joins the conversation as rules do, and stays over compactions.

const skillInput = z.object({
  skill: z.string().describe("Its name"),
  args: z.string().optional().describe("What it should work on"),
});

/** @param stands its present text is in the conversation or in the rules */
export const skillTool = ({ skills, stands }: { skills: KnownSkills; stands(skill: Skill): boolean }) =>
  defineTool({
    name: "Skill",
    description: skillDescription,
    input: skillInput,
    effect: "session",
    async prepare({ skill: asked, args }) {
      const skill = skills.find(asked.trim().replace(/^\//, ""));
      if (!skill?.forModel) throw new ToolError("NOT_FOUND", missing(asked, skill, skills));
      const { name, path } = skill;
      return lookingCall("Skill", { title: `Load the skill ${name}`, about: [name, args ?? ""] }, async run => {
        const has = stands(skill);
        // A turn has it once, also where it is loaded twice in a step.
        if (!has) run.inject.injectSystemOnce(skillText(skill, args), skills.fingerprint(skill), skillSource(name));
        const text = has ? `The skill ${name} stands in this conversation already.` : `Loaded. Its text follows below.`;
        return success({ data: { skill: name, path }, text, digest: `Skill ${name}` });
      });
    },
  });

function missing(asked: string, skill: Skill | undefined, { current }: KnownSkills): string {
  if (skill) return `The skill ${skill.name} is for the user alone: they call it as /${skill.name}.`;
  const broken = current.broken.find(({ path }) => path.split("/").includes(asked.trim()));
  if (broken) return `The skill at ${broken.path} cannot be used: ${broken.problem} Tell the user.`;
  return `There is no skill "${oneLine(asked, 80)}". These are:\n${skillNames(current.skills) || "none"}`;
}
