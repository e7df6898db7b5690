/** What the host does for the panel's help. Keys are read from package.json as VS Code loaded it: no second list can go stale. */
import * as z from "zod";
import { defined } from "../../shared/defined";
import type { CommandKey } from "../../shared/helpProtocol";
import type { PanelHandlers } from "./dispatch";

export interface HelpDeps {
  /** package.json, in the person's language */
  manifest(): unknown;
}

export type HelpHandlers = Pick<PanelHandlers, "commandKeys">;

export const helpHandlers = ({ manifest }: HelpDeps): HelpHandlers => ({
  commandKeys: async () => ({ keys: commandKeys(manifest()) }),
});

const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string() })),
    keybindings: z.array(
      z.object({ command: z.string(), key: z.string(), mac: z.string().optional(), when: z.string().default("") }),
    ),
  }),
});

/** Where a key holds, by a clause of its `when`; the first that it has says it. */
const placeOfClause: readonly [clause: string, place: CommandKey["place"]][] = [
  ["strata.panelFocus", "panel"],
  ["resourceScheme == strata-proposal", "proposal"],
  ["resourceScheme == strata-plan", "plan"],
  ["editorLangId == strata-prompt", "prompt"],
  ["strata.reviewHere", "review"],
  ["strata.reviewRedoable", "review"],
  ["editorTextFocus", "editor"],
  ["!editorTextFocus", "elsewhere"],
];

/** undefined: no clause says where */
export function keyPlace(when: string): CommandKey["place"] | undefined {
  const clauses = when.split(" && ");
  return placeOfClause.find(([clause]) => clauses.includes(clause))?.[1];
}

function commandKeys(manifest: unknown): CommandKey[] {
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) return [];
  const { commands, keybindings } = parsed.data.contributes;
  const titles = new Map(commands.map(({ command, title }) => [command, title]));
  return keybindings.flatMap(({ command, key, mac, when }) => {
    const title = titles.get(command);
    // Several in one go, of VS Code's: the one that is meant has the key too.
    if (title === undefined) return [];
    return { place: keyPlace(when) ?? "elsewhere", title, key, ...defined({ mac }) };
  });
}
