/** "Strata: Show Help" and `/help`: the panel's commands and keys as a page. */
import { t } from "../../shared/l10n";
import { listCommands } from "../../shared/slashCommand";

type KeyRow = readonly [keys: string, does: string];

const table = (title: string, rows: readonly KeyRow[]) =>
  [
    ...[`## ${title}`, "", "| | |", "|---|---|"],
    ...rows.map(([key, does]) => `| \`${key.replaceAll(",", "` `")}\` | ${does} |`),
  ].join("\n");

const keyTables = () => [
  table(t("In the panel"), [
    ["Esc", t("Close what is open, else stop the agent")],
    ["Tab", t("Go to the next group of controls")],
    ["Alt+↑,Alt+↓", t("Go to your previous or next message")],
    ["Ctrl+F,F3,Shift+F3", t("Find in the conversation; next and previous match")],
  ]),
  table(t("Where you write"), [
    ["Enter", t("Send")],
    ["Alt+Enter", t("Send after this turn")],
    ["Shift+Enter", t("New line")],
    ["↑", t("Bring your last message back, in an empty box")],
    ["Ctrl+Shift+V", t("Paste as plain text")],
  ]),
  table(t("When Strata asks"), [
    ["Ctrl+Enter", t("Allow, or send the answer")],
    ["Esc", t("Deny, or leave the form")],
    ["1–9", t("Choose the option with this number")],
  ]),
  table(t("In lists and menus"), [
    ["↑,↓,Home,End", t("Go from row to row")],
    ["←,→", t("Go from button to button, or open and close a row")],
    ["Alt+↑,Alt+↓", t("Move a waiting message up or down")],
    ["F2,Del,Shift+F10", t("Rename or delete a session, or show more actions")],
  ]),
];

/** @returns a name for its tab, and Markdown */
export function helpPage(): [name: string, text: string] {
  const rows = listCommands().map(({ name, after, meaning }): KeyRow => [`/${name} ${after}`.trim(), meaning]);
  const more = t("On a Mac Ctrl is ⌘. The keys of commands are in VS Code's keyboard shortcuts, under “Strata”.");
  return [`${t("Help")}.md`, [`# ${t("Help")}`, table(t("Commands"), rows), ...keyTables(), more].join("\n\n")];
}
