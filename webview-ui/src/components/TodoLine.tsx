import { useState } from "react";
import type { Todo } from "../../../src/shared/toolResult";
import { usePanelState } from "../hooks";
import { Icon } from "./Icon";

const icons: Record<Todo["status"], string> = {
  pending: "circle-large",
  in_progress: "circle-large-filled",
  completed: "pass-filled",
};

const words: Record<Todo["status"], string> = {
  pending: "to do",
  in_progress: "under way",
  completed: "done",
};

/** The todo list in one line, "2 of 3  Run the whole suite"; it opens upward. */
export function TodoLine() {
  const todos = usePanelState(state => state.session.todos);
  const [open, setOpen] = useState(false);
  if (todos.length === 0) return null;
  const done = todos.filter(todo => todo.status === "completed").length;
  const current = todos.find(todo => todo.status === "in_progress") ?? todos.find(todo => todo.status === "pending");
  const now =
    current === undefined ? "All done" : current.status === "in_progress" ? current.activeForm : current.content;
  return (
    <div className="todo">
      {open ? (
        <ul className="todo-list" aria-label="Todo list">
          {todos.map(todo => (
            <li key={todo.content} className={`todo-item ${todo.status}`}>
              <Icon name={icons[todo.status]} />
              <span className="visually-hidden">{words[todo.status]}: </span>
              <span>{todo.content}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <button type="button" className="todo-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="checklist" />
        <span className="todo-count">
          {done} of {todos.length}
        </span>
        <span className="todo-now">{now}</span>
        <Icon name={open ? "chevron-down" : "chevron-up"} />
      </button>
    </div>
  );
}
