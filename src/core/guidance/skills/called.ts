/** A message that calls a skill or a prompt by its name: `/deploy staging`. */
import { t } from "../../../shared/l10n";
import { type CallableName, ownCommands, parseCall } from "../../../shared/slashCommand";
import type { ServerOffers } from "../../ground/ports";
import { promptSource, skillSource } from "../../ground/text/sources";
import type { SkillSet } from "./knownSkills";
import type { PromptFile, Skill } from "./parse";
import { promptText, skillText } from "./texts";

export interface CalledText {
  /** as injected texts are named: `skill:deploy`, `prompt:.claude/commands/review.md` */
  source: string;
  text: string;
  skill?: Skill;
  prompt?: PromptFile;
}

type Callable = Omit<SkillSet, "agents" | "broken">;

export function calledText(message: string, { skills, prompts }: Callable): CalledText | undefined {
  const call = parseCall(message);
  if (call === undefined) return undefined;
  const skill = skills.find(({ name, forPeople }) => forPeople && name === call.name);
  if (skill) return { skill, source: skillSource(skill.name), text: skillText(skill, call.words) };
  const prompt = prompts.find(({ name }) => name === call.name);
  return prompt && { prompt, source: promptSource(prompt.path), text: promptText(prompt, call.words) };
}

/** Those that a person can call, each name once, by name. A skill comes before a prompt, Strata's own commands before both. */
export function callableNames({ skills, prompts }: Callable): CallableName[] {
  const all = [...skills.filter(({ forPeople }) => forPeople), ...prompts];
  const names = new Map<string, CallableName>();
  for (const { name, description, argumentHint: hint } of all) {
    if (!names.has(name) && !Object.hasOwn(ownCommands, name)) names.set(name, { name, description, hint });
  }
  return [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Prompts of servers in the menu; others can still be called. */
const MAX_PROMPTS = 1_000;

/** Prompts of MCP servers, `server:prompt` with their arguments; for a server that was not started, a hint. */
export function callablePrompts(offers: readonly ServerOffers[]): CallableName[] {
  const names = offers.flatMap(({ server, known, prompts }): CallableName[] => {
    const unseen = {
      name: `${server}:`,
      hint: "",
      unseen: true as const,
      description: t("MCP server that has not been started yet: /mcp shows it, and starts it"),
    };
    if (!known) return [unseen];
    return prompts.map(({ name, description, arguments: all }) => ({
      name: `${server}:${name}`,
      description,
      hint: all.map(each => (each.required ? each.name : `[${each.name}]`)).join(" "),
      needs: all.filter(each => each.required).map(each => each.name),
      takes: all.map(each => each.name),
    }));
  });
  // A name with a blank cannot be typed.
  return names.filter(({ name }) => parseCall(`/${name}`)?.name === name).slice(0, MAX_PROMPTS);
}
