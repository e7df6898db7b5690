/** TodoWrite: the whole list each time. */
import * as z from "zod";
import description from "../../../prompts/tools/todoWrite.md";
import { type Todo, todoSchema } from "../../shared/toolResult";
import { ToolError } from "../ports";
import { defineTool, type Tool, type ToolOutcome } from "../toolkit/tool";
import { success } from "../toolkit/toolResults";

const input = z.object({ todos: z.array(todoSchema) });
export type TodoWriteInput = z.infer<typeof input>;

export function todoWriteTool(): Tool<TodoWriteInput> {
  return defineTool({
    name: "TodoWrite",
    description: description.trim(),
    input,
    effect: "session",
    async prepare({ todos }) {
      const current = todos.filter(todo => todo.status === "in_progress");
      if (current.length > 1) {
        const names = current.map(todo => `"${todo.content}"`).join(", ");
        throw new ToolError(
          "INVALID_INPUT",
          `One todo at most may be in progress; ${current.length} are: ${names}. The list is unchanged.`,
        );
      }
      return {
        targets: [],
        title: "Update todos",
        detail: { type: "read", paths: [] },
        binding: JSON.stringify(["TodoWrite", todos]),
        perform: async () => performed(todos),
      };
    },
  });
}

function performed(todos: readonly Todo[]): ToolOutcome {
  const done = todos.filter(todo => todo.status === "completed").length;
  const current = todos.find(todo => todo.status === "in_progress");
  const recap = todos.length === 0 ? "The todo list is empty" : `${done} of ${todos.length} todos done`;
  const now = current ? `; now: ${current.activeForm}` : "";
  return {
    result: success({
      data: { recap: `${recap}${now}.`, total: todos.length, done, current: current?.activeForm ?? null },
      text: `${recap}${now}.`,
      digest: `TodoWrite ${recap.toLowerCase()}${now}`,
    }),
    todos: [...todos],
  };
}
