/**
 * The corpus of commands: read, and decided about as Strata would. `== mode rules` (`== mode sandbox rules`: there is one), then a decision and a command in each line
 * (`reads`: it asks without a sandbox, and runs in a read-only one; `held`: it asks, in a sandbox too); behind ` ⇒ ` all that the person is told, dangers before the bar (´ is a backtick); `+` before a rule allows, `-` forbids, `?` asks. `␊` is a line break, `␍` a carriage return, `␀` NUL, `␉` a tab, `⟨200b⟩` any
 * character by its number.
 */
import { readdirSync, readFileSync } from "node:fs";
import { planCommand } from "../../../src/core/commands/commandPlan";
import { effectsOf } from "../../../src/core/permissions/effects";
import { decide } from "../../../src/core/permissions/policy";
import { parseRules, type Rule } from "../../../src/core/permissions/rules";
import type { Action, PolicyState, Verdict } from "../../../src/core/permissions/verdict";
import { isDanger, type ToldEffect } from "../../../src/shared/approval";
import type { PermissionMode } from "../../../src/shared/settingValues";
import { MemoryFiles } from "../../fakes/files";

interface RuleTexts {
  allow: string[];
  ask: string[];
  deny: string[];
}

interface CorpusCase {
  mode: PermissionMode;
  rules: RuleTexts;
  /** there is a sandbox */
  confined?: "offline";
  expected: string;
  command: string;
  told: string | undefined;
}

const kinds = { "+": "allow", "?": "ask", "-": "deny" } as const;

function readRules(line: string): RuleTexts {
  const rules: RuleTexts = { allow: [], ask: [], deny: [] };
  for (const text of line.split(/ (?=[+?-](?:[A-Z]|nonsense))/).filter(Boolean))
    rules[kinds[text[0] as "+"]].push(text.slice(1));
  return rules;
}

function readCorpus(text: string): CorpusCase[] {
  const cases: CorpusCase[] = [];
  let state: Pick<CorpusCase, "mode" | "rules" | "confined"> = { mode: "auto", rules: readRules("") };
  for (const line of text.split("\n").filter(line => line && !line.startsWith("#"))) {
    const [, mode, sandbox, rules = ""] = /^== (\w+)( sandbox)? ?(.*)$/.exec(line) ?? [];
    if (mode) {
      state = { mode: mode as PermissionMode, rules: readRules(rules), ...(sandbox && { confined: "offline" }) };
    } else {
      const at = line.indexOf(" ");
      const [written = "", told] = line.slice(at + 1).split(" ⇒ ");
      const command = written.replaceAll("␊", "\n").replaceAll("␍", "\r").replaceAll("␀", "\0");
      const shown = command
        .replaceAll("␉", "\t")
        .replace(/⟨([0-9a-f]+)⟩/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
      cases.push({ ...state, expected: line.slice(0, at), command: shown, told: told?.replaceAll("´", "`") });
    }
  }
  return cases;
}

/** Tests run in the repository's root. */
const FOLDER = "test/core/permissions/corpus";
export const corpus = () => readdirSync(FOLDER).flatMap(name => readCorpus(readFileSync(`${FOLDER}/${name}`, "utf8")));

const WORKSPACE = {
  app: {
    ...{ "src/a.ts": "a", "src/b.ts": "b", "src/a.js": "a", "package.json": "{}", ".env": "KEY=1", "secrets/a": "x" },
    ...{ ".git/HEAD": "ref: refs/heads/main", ".git/config": "[core]\n\tbare = false\n", ".git/objects/x": "" },
    ...{ ".git/refs/heads/main": "", "a.tar": "", "a.tar.gz": "", "a.zip": "", "scripts/build.sh": "make" },
  },
};

interface Situation {
  mode?: PermissionMode;
  rules?: Partial<RuleTexts>;
  /** in place of `rules` */
  inForce?: readonly Rule[];
  /** there is a sandbox */
  confined?: Action["confined"];
}

/** As a card says it: dangers before a bar. */
const told = (effects: readonly ToldEffect[]) => {
  const said = (of: readonly ToldEffect[]) => of.map(({ words }) => words).join(" · ");
  return [said(effects.filter(isDanger)), said(effects.filter(each => !isDanger(each)))].join(" | ").trim();
};

/** @param files where nothing else is said: the workspace of the corpus */
export async function decided(
  command: string,
  { mode = "auto", rules = {}, inForce, confined }: Situation = {},
  files: ConstructorParameters<typeof MemoryFiles>[0] = WORKSPACE,
): Promise<Verdict & { parts: readonly { text: string; effect: string }[]; told: string }> {
  const cwd = "/ws/app";
  const disk = new MemoryFiles(files);
  for (const folder of ["/etc", disk.home]) disk.mkdir(folder);
  const { facts } = await planCommand(command, cwd, disk);
  const action: Action = {
    ...{ toolName: "Bash", effects: ["command"], targets: [], namesSecret: false },
    ...{ detail: { type: "command", command, cwd }, command: facts, input: { command } },
    ...(confined && { confined }),
  };
  const state: PolicyState = {
    ...{ mode, trusted: true, ownFolders: ["/home/person/.config/strata"], grants: [], runEverything: false },
    ...{ trustsAllContent: true, rules: inForce ?? parseRules({ allow: [], ask: [], deny: [], ...rules }) },
  };
  const verdict = decide(action, state);
  return {
    ...verdict,
    parts: facts.parts,
    told: told(effectsOf(action, state, verdict, [])),
  };
}
