/** The help lists every key that the panel hears and every key of package.json, and no other. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { helpHandlers, keyPlace } from "../../src/vscode/panel/helpHandlers";
import { type HelpPlace, keyNames, keysHere, ownKeys } from "../../webview-ui/src/text/keyRows";

/** Where the keys that a file hears are told of. */
const told: Record<string, HelpPlace[]> = {
  "components/App.tsx": ["panel"],
  "components/Approval.tsx": ["question"],
  "components/Composer.tsx": ["composer"],
  "components/ContextView.tsx": ["panel"],
  "components/FindBar.tsx": ["find", "panel"],
  "components/MessageEditor.tsx": ["composer", "panel"],
  "components/PendingList.tsx": ["lists", "composer", "panel"],
  "components/QuestionCard.tsx": ["question"],
  "components/QuestionFields.tsx": ["question", "lists"],
  "components/Rewind.tsx": ["panel"],
  "components/SessionRow.tsx": ["sessions", "panel"],
  "components/SessionsView.tsx": ["sessions", "lists", "panel"],
  "components/SettingControl.tsx": ["lists", "panel"],
  "components/StatusLine.tsx": ["panel"],
  "components/TurnEnd.tsx": ["panel"],
  "components/useFind.ts": ["panel"],
  "components/useHeld.ts": ["composer"],
  "controls/Popup.tsx": ["lists", "panel"],
  "controls/controls.tsx": ["lists"],
  "controls/RowGrid.tsx": ["lists"],
  "controls/roving.ts": ["lists"],
  "mentions/menu.ts": ["composer", "lists", "sessions", "panel"],
};

/** Files that name keys and hear none, or only where a page is not taken over yet. */
const deaf: Record<string, string> = {
  "components/useFollowing.ts": "scrolling upwards is the browser's",
  "main.tsx": "presses the Enter that came before the script; the second key of a chord is VS Code's",
  "text/keyRows.ts": "the list itself",
};

/** As package.json writes them. */
const written: Record<string, string> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  KeyC: "c",
  KeyW: "w",
  // The key of menus does what Shift+F10 does.
  ContextMenu: "f10",
};

const quoted =
  /"(Escape|Enter|Tab|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F\d+|Delete|Backspace|ContextMenu|Key[A-Z])"|\b(Escape|Enter|Tab|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F\d+|Delete|Backspace)(?=:)|key\.toLowerCase\(\) === "(\w)"/g;

/** File → the keys that it names. */
function heard(): Map<string, Set<string>> {
  const folder = join(root, "webview-ui/src");
  const found = new Map<string, Set<string>>();
  for (const path of globSync("**/*.{ts,tsx}", { cwd: folder })) {
    const text = readFileSync(join(folder, path), "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    const keys = [...text.matchAll(quoted)].map(([, a, b, c]) => a ?? b ?? c ?? "");
    if (keys.length > 0)
      found.set(path.replaceAll("\\", "/"), new Set(keys.map(key => written[key] ?? key.toLowerCase())));
  }
  return found;
}

/** The keys of these places, without what is held with them. */
function shownAt(places: readonly HelpPlace[]): Set<string> {
  const rows = places.flatMap(place => ownKeys()[place] ?? []);
  return new Set(rows.flatMap(row => [...row.keys, ...(row.mac ?? [])]).map(key => key.split("+").at(-1) ?? ""));
}

describe("the list of keys", () => {
  const files = heard();

  it("knows of each file which keys it hears", () => {
    const known = new Set([...Object.keys(told), ...Object.keys(deaf)]);
    assert.deepEqual(
      [...files.keys()].filter(path => !known.has(path)),
      [],
      "say in `told` where the help shows its keys",
    );
    assert.deepEqual(
      [...known].filter(path => !files.has(path)),
      [],
    );
  });

  for (const [path, places] of Object.entries(told))
    it(`has every key of ${path}`, () => {
      const shown = shownAt(places);
      assert.deepEqual(
        [...(files.get(path) ?? [])].filter(key => !shown.has(key)),
        [],
      );
    });

  it("has no key that nothing hears", () => {
    // Space presses a button in every browser; a digit chooses an option, whichever it is.
    const all = new Set(["space", "1-9", ...[...files.values()].flatMap(keys => [...keys])]);
    assert.deepEqual(
      [...shownAt(Object.keys(ownKeys()) as HelpPlace[])].filter(key => !all.has(key)),
      [],
    );
  });

  it("has every key of package.json, and where it holds", async () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const { keybindings, commands } = manifest.contributes;
    const unplaced = keybindings.filter(({ when = "" }) => keyPlace(when) === undefined);
    assert.deepEqual(unplaced, [], "say in helpHandlers.ts where this `when` is");
    const { keys } = await helpHandlers({ manifest: () => manifest }).commandKeys({});
    const own = keybindings.filter(({ command }: { command: string }) => command !== "runCommands");
    assert.deepEqual(
      keys.map(({ key, mac }) => ({ key, mac })),
      own.map(({ key, mac }: { key: string; mac?: string }) => ({ key, mac })),
    );
    const titles = new Set(commands.map(({ title }: { title: string }) => title));
    assert.ok(keys.every(({ title }) => titles.has(title)));
    assert.deepEqual(await helpHandlers({ manifest: () => undefined }).commandKeys({}), { keys: [] });
  });

  it("writes them as the person's VS Code does", () => {
    assert.deepEqual(keyNames("ctrl+k ctrl+enter", false), ["Ctrl+K", "Ctrl+Enter"]);
    assert.deepEqual(keyNames("shift+alt+f5", false), ["Shift+Alt+F5"]);
    assert.deepEqual(keyNames("cmd+k a", true), ["⌘K", "A"]);
    assert.deepEqual(keysHere({ keys: ["ctrl+f"] }, true), ["cmd+f"]);
    assert.deepEqual(keysHere({ keys: ["alt+c"], mac: ["alt+cmd+c"] }, true), ["alt+cmd+c"]);
    assert.deepEqual(keysHere({ keys: ["ctrl+f"] }, false), ["ctrl+f"]);
  });
});
