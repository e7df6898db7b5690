/** How questions and what goes into a message look, in each theme and width. */
import { isSoak } from "../fakes/soak";
import { picture } from "./look";
import { panelTest, type Theme } from "./panel";
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

const looks: [Theme, number][] = [
  ["dark", 420],
  ["light", 300],
  ["high-contrast", 700],
];

describe("panel: how questions look", () => {
  for (const [theme, width] of isSoak("looks") ? looks : looks.slice(0, 1)) {
    const at = `${theme}-${width}`;
    const shown = (script: Script) => ({
      theme,
      width,
      snapshot: snapshot({ records: script.records, state: "asking" }),
    });
    panelTest(`a command and its menu, ${at}`, () =>
      picture(`ask-command-${at}`, shown(command()), ({ button }) => button("More ways to allow").click()),
    );
    panelTest(`an edit, ${at}`, () => picture(`ask-edit-${at}`, shown(edit())));
    panelTest(`a wide form, ${at}`, () => picture(`ask-form-${at}`, { ...shown(form()), height: 700 }));
    panelTest(`no, because, ${at}`, () =>
      picture(`ask-because-${at}`, shown(asking()), ({ button }) => button("No, because…").click()),
    );
  }
});
