/** A message that calls a skill or a prompt by its name: `/deploy staging`. */
import { type CallableName, ownCommands, parseCall } from "../../shared/slashCommand";
import { promptSource, skillSource } from "../text/sources";
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

/** undefined: the message calls none */
export function calledText(message: string, { skills, prompts }: SkillSet): CalledText | undefined {
  const call = parseCall(message);
  if (call === undefined) return undefined;
  const skill = skills.find(({ name, forPeople }) => forPeople && name === call.name);
  if (skill) return { skill, source: skillSource(skill.name), text: skillText(skill, call.words) };
  const prompt = prompts.find(({ name }) => name === call.name);
  return prompt && { prompt, source: promptSource(prompt.path), text: promptText(prompt, call.words) };
}

/** Those that a person can call, each name once, by name. A skill comes before a prompt, Strata's own commands before both. */
export function callableNames({ skills, prompts }: SkillSet): CallableName[] {
  const all = [...skills.filter(({ forPeople }) => forPeople), ...prompts];
  const names = new Map<string, CallableName>();
  for (const { name, description, argumentHint: hint } of all) {
    if (!names.has(name) && !Object.hasOwn(ownCommands, name)) names.set(name, { name, description, hint });
  }
  return [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
