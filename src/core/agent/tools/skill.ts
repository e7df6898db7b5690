/** Skill: loads instructions for a kind of task. Their text joins the conversation as rules do, and stays over compactions. */
import * as z from "zod";
import description from "../../../../prompts/tools/skill.md";
import { ToolError } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import { skillSource } from "../../ground/text/sources";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import type { Skill } from "../../guidance/skills/parse";
import { skillNames, skillText } from "../../guidance/skills/texts";
import { defineTool, lookingCall, success } from "../../tool/tool";

const input = z.object({
  skill: z.string().describe("Its name"),
  args: z.string().optional().describe("What it should work on"),
});

interface SkillDeps {
  skills: KnownSkills;
  /** its text, as it is now, stands in the conversation or in the rules */
  stands(skill: Skill): boolean;
}

export function skillTool({ skills, stands }: SkillDeps) {
  return defineTool({
    name: "Skill",
    description,
    input,
    effect: "session",
    async prepare({ skill: asked, args }) {
      const skill = skills.find(asked.trim().replace(/^\//, ""));
      if (!skill?.forModel) throw new ToolError("NOT_FOUND", missing(asked, skill, skills));
      const { name, path } = skill;
      return lookingCall("Skill", { title: `Load the skill ${name}`, about: [name, args ?? ""] }, async run => {
        const has = stands(skill);
        // A turn has it once: whoever loads it again in the same step is told the same.
        if (!has) run.inject.injectSystemOnce(skillText(skill, args), skills.fingerprint(skill), skillSource(name));
        const text = has ? `The skill ${name} stands in this conversation already.` : `Loaded. Its text follows below.`;
        return success({ data: { skill: name, path }, text, digest: `Skill ${name}` });
      });
    },
  });
}

function missing(asked: string, skill: Skill | undefined, { current }: KnownSkills): string {
  if (skill) return `The skill ${skill.name} is for the user alone: they call it as /${skill.name}.`;
  const broken = current.broken.find(({ path }) => path.split("/").includes(asked.trim()));
  if (broken) return `The skill at ${broken.path} cannot be used: ${broken.problem} Tell the user.`;
  return `There is no skill "${oneLine(asked, 80)}". These are:\n${skillNames(current.skills) || "none"}`;
}
