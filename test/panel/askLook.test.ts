/** How questions look. */
import { pictures } from "./look";
import { asking, commandAction, editAction, fixing } from "./scenes";
import { Script, snapshot } from "./script";

const rules = [["Bash(npm test -- invoice)"], ["Bash(npm test *)"]];
const command = () => {
  const detail = { type: "command" as const, command: "npm test -- invoice", cwd: "/code/invoices" };
  const sandbox = { ...detail, sandbox: { kind: "sandbox" } };
  const script = fixing()
    .request("r9")
    .answer("r9", "", [["c9", "Bash", { command: "npm test" }]]);
  return script.approval("a", {
    ...commandAction,
    callId: "c9",
    rules,
    reason: "outside the workspace",
    detail: sandbox,
  });
};
const edit = () => {
  const script = fixing()
    .request("r9")
    .answer("r9", "", [["call_edit2", "Edit", { file_path: "src/invoice.ts" }]]);
  return script.approval("a", { ...editAction, callId: "call_edit2" });
};
const form = () => {
  const options = ["SQLite", "Postgres", "Plain files"].map(label => ({
    value: label,
    label,
    description: `What ${label} means`,
  }));
  const field = (name: string) => ({
    ...{ type: "choice" as const, name, title: `Which ${name} do you want?`, required: false, ownWords: true },
    ...{ multiple: false, options },
  });
  const script = new Script()
    .user("plan")
    .request("r")
    .answer("r", "", [["q", "AskUser", { questions: [] }]]);
  return script.question("qst", "q", "AskUser", { fields: ["store", "format", "order"].map(field) });
};

const shown = (script: Script) => ({ snapshot: snapshot({ records: script.records, state: "asking" }) });

describe("panel: how questions look", () => {
  pictures({
    "a command and its menu": [shown(command()), ({ button }) => button("More ways to allow").click()],
    "an edit that is asked about": [shown(edit())],
    "a wide form": [{ ...shown(form()), height: 700 }],
    "no, because": [shown(asking()), ({ button }) => button("Deny, because…").click()],
  });
});
