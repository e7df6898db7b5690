/** The panel's own keys, as its help shows them. A test holds them against the keys that components hear. */
import type { CommandKey } from "../../../src/shared/helpProtocol";
import { t } from "../../../src/shared/l10n";

/** A part of the panel, or of VS Code, in which keys hold. */
export type HelpPlace = CommandKey["place"] | "composer" | "question" | "lists" | "sessions" | "find";

interface KeyRow {
  /** each does it; written as package.json writes keys: "ctrl+k a" */
  keys: readonly string[];
  /** on a Mac, where they are not the same with ⌘ for Ctrl */
  mac?: readonly string[];
  does: string;
}

export const keyPlaceNames: Readonly<Record<HelpPlace, () => string>> = {
  panel: () => t("In the panel"),
  composer: () => t("Where you write"),
  question: () => t("When Strata asks"),
  find: () => t("While you find"),
  lists: () => t("In lists and menus"),
  sessions: () => t("In the list of sessions"),
  editor: () => t("In an editor"),
  review: () => t("In a file with changes to review"),
  proposal: () => t("In a proposed edit"),
  plan: () => t("In a plan"),
  prompt: () => t("In the prompt editor"),
  elsewhere: () => t("Elsewhere in VS Code"),
};

export const ownKeys = (): Readonly<Partial<Record<HelpPlace, readonly KeyRow[]>>> => ({
  panel: [
    { keys: ["escape"], does: t("Close what is open, else stop the agent") },
    { keys: ["tab"], does: t("Go to the next group of controls") },
    { keys: ["alt+up"], does: t("Go to your previous message") },
    { keys: ["alt+down"], does: t("Go to your next message") },
    { keys: ["ctrl+f"], does: t("Find in the conversation") },
    { keys: ["f3"], mac: ["f3", "cmd+g"], does: t("Next match") },
    { keys: ["shift+f3"], mac: ["shift+f3", "shift+cmd+g"], does: t("Previous match") },
  ],
  composer: [
    { keys: ["enter"], does: t("Send") },
    { keys: ["alt+enter"], does: t("Send after this turn") },
    { keys: ["shift+enter"], does: t("New line") },
    { keys: ["up"], does: t("Bring your last message back, in an empty box") },
    { keys: ["enter", "tab"], does: t("Take what is chosen in the list of mentions or commands") },
    { keys: ["ctrl+shift+v"], does: t("Paste as plain text") },
  ],
  question: [
    { keys: ["ctrl+enter"], does: t("Allow, or send the answer") },
    { keys: ["escape"], does: t("Deny, or leave the form") },
    { keys: ["1-9"], does: t("Choose the option with this number") },
    { keys: ["enter"], does: t("Go to the next field, or send the answer") },
  ],
  find: [
    { keys: ["enter"], does: t("Next match") },
    { keys: ["shift+enter"], does: t("Previous match") },
    { keys: ["alt+c"], mac: ["alt+cmd+c"], does: t("Match case") },
    { keys: ["alt+w"], mac: ["alt+cmd+w"], does: t("Match whole word") },
  ],
  lists: [
    { keys: ["up", "down"], does: t("Go from row to row") },
    { keys: ["left", "right"], does: t("Go from button to button, or open and close a row") },
    { keys: ["home", "end"], does: t("Go to the first or the last row") },
    { keys: ["enter", "space"], does: t("Press or open") },
    { keys: ["alt+up", "alt+down"], does: t("Move a waiting message up or down") },
  ],
  sessions: [
    { keys: ["enter"], does: t("Open") },
    { keys: ["f2"], does: t("Rename") },
    { keys: ["delete"], does: t("Delete") },
    { keys: ["shift+f10"], does: t("More actions") },
    { keys: ["pageup", "pagedown"], does: t("Go up or down by a page") },
  ],
});

const names: Readonly<Record<string, string>> = {
  ...{
    ctrl: "Ctrl",
    shift: "Shift",
    alt: "Alt",
    cmd: "Cmd",
    enter: "Enter",
    escape: "Esc",
    tab: "Tab",
    space: "Space",
  },
  ...{ up: "↑", down: "↓", left: "←", right: "→", home: "Home", end: "End", delete: "Del", backspace: "Backspace" },
  ...{ pageup: "Page Up", pagedown: "Page Down", "1-9": "1–9" },
};

const macNames: Readonly<Record<string, string>> = {
  ...{ ctrl: "⌃", shift: "⇧", alt: "⌥", cmd: "⌘", enter: "⏎", delete: "⌦", backspace: "⌫" },
};

/** "ctrl+k a" → "Ctrl+K", "A"; on a Mac "⌘K", "A": as VS Code's menus write them. */
export function keyNames(chord: string, isMac: boolean): string[] {
  const nameOf = (key: string) => (isMac ? macNames[key] : undefined) ?? names[key] ?? key.toUpperCase();
  return chord.split(" ").map(press =>
    press
      .split("+")
      .map(nameOf)
      .join(isMac ? "" : "+"),
  );
}

/** What a row's keys are on this machine. */
export const keysHere = ({ keys, mac }: Pick<KeyRow, "keys" | "mac">, isMac: boolean): readonly string[] =>
  isMac ? (mac ?? keys.map(key => key.replace("ctrl+", "cmd+"))) : keys;
