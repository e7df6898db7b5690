/** TodoWrite: the whole list each time. */
import * as z from "zod";
import description from "../../../../prompts/tools/todoWrite.md";
import { type Todo, todoSchema } from "../../../shared/toolResult";
import { ToolError } from "../../ground/ports";
import { number } from "../../ground/text/toolFacts";
import { leftOutNote, type ResultForms } from "../../tool/resultForms";
import { defineTool, lookingCall, success, type ToolOutcome } from "../../tool/tool";

const input = z.object({ todos: z.array(todoSchema.omit({ activeForm: true })) });

export const todoWriteTool = () =>
  defineTool({
    name: "TodoWrite",
    description,
    input,
    effect: "session",
    forms,
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

const forms: ResultForms = {
  input: list => {
    const { success: isList, data } = input.safeParse(list);
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
