/** The tools of a session, in the order in which models see them: it never changes, since it is part of the prefix. */
import * as z from "zod";
import description from "../../../../prompts/tools/skill.md";
import type { FileVersion } from "../../../shared/toolResult";
import type { ToolDiagnostics } from "../../changes/diagnostics/afterEdit";
import { editTool, writeTool } from "../../changes/edit";
import type { BackgroundTasks } from "../../commands/background";
import { type BashPorts, bashTool } from "../../commands/bash";
import { runTaskTool } from "../../commands/runTask";
import { bashOutputTool } from "../../commands/taskTools";
import type { Clock, CodeIntelligence, EditorTasks, Files, Search } from "../../ground/ports";
import { ToolError } from "../../ground/ports/index";
import { oneLine } from "../../ground/text/format";
import { skillSource } from "../../ground/text/sources";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import type { Skill } from "../../guidance/skills/parse";
import { skillNames, skillText } from "../../guidance/skills/texts";
import type { SessionLog } from "../../log/handles";
import type { Snapshots } from "../../log/snapshots";
import { codeTool } from "../../looking/code";
import { diagnosticsTool } from "../../looking/diagnostics";
import { globTool } from "../../looking/glob";
import { grepTool } from "../../looking/grep";
import { lsTool } from "../../looking/ls";
import { readTool } from "../../looking/read";
import { type EarlierSessions, recallTool } from "../../looking/recall";
import { refactorTool } from "../../looking/refactor";
import { defineTool, lookingCall, success, type Tool } from "../../tool/tool";
import { askUserTool } from "./askUser";
import { todoWriteTool } from "./todoWrite";

interface ToolPorts extends BashPorts {
  files: Files;
  clock: Clock;
  /** The text of a file as the session read or left it. */
  textOf(version: FileVersion): Promise<string | undefined>;
  /** Keeps a text that the model knows and no file holds, so that `textOf` gives it. */
  remember(text: string): Promise<FileVersion>;
  search: Search;
  tasks: BackgroundTasks;
  /** states of files before and after each edit; absent: none is kept */
  snapshots?: Snapshots;
  /** what Recall searches */
  log: SessionLog;
  /** other sessions, which it searches on request; absent: it does not */
  earlier?: EarlierSessions;
  /** Absent without an editor: then there is no Diagnostics tool. */
  diagnostics?: ToolDiagnostics | undefined;
  /** What language extensions know; absent where there is no editor: then there is no tool for it. */
  code?: CodeIntelligence | undefined;
  editorTasks?: EditorTasks | undefined;
}

export function createTools(ports: ToolPorts): Tool[] {
  const { diagnostics, code, editorTasks } = ports;
  return [
    readTool(ports),
    lsTool(ports),
    globTool(ports),
    grepTool(ports),
    editTool(ports),
    writeTool(ports),
    bashTool(ports),
    bashOutputTool(ports),
    todoWriteTool(),
    recallTool(ports),
    ...(diagnostics ? [diagnosticsTool({ ...ports, diagnostics })] : []),
    ...(code ? [codeTool({ ...ports, code }), refactorTool({ ...ports, code })] : []),
    askUserTool(),
    ...(editorTasks ? [runTaskTool({ ...ports, editorTasks })] : []),
  ];
}

// Skill: loads instructions for a kind of task. Their text joins the conversation as rules do, and stays over compactions.

const input = z.object({
  skill: z.string().describe("Its name"),
  args: z.string().optional().describe("What it should work on"),
});

/** @param stands its present text is in the conversation or in the rules */
export const skillTool = ({ skills, stands }: { skills: KnownSkills; stands(skill: Skill): boolean }) =>
  defineTool({
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
        // A turn has it once, also where it is loaded twice in a step.
        if (!has) run.inject.injectSystemOnce(skillText(skill, args), skills.fingerprint(skill), skillSource(name));
        const text = has ? `The skill ${name} stands in this conversation already.` : `Loaded. Its text follows below.`;
        return success({ data: { skill: name, path }, text, digest: `Skill ${name}` });
      });
    },
  });

function missing(asked: string, skill: Skill | undefined, { current }: KnownSkills): string {
  if (skill) return `The skill ${skill.name} is for the user alone: they call it as /${skill.name}.`;
  const broken = current.broken.find(({ path }) => path.split("/").includes(asked.trim()));
  if (broken) return `The skill at ${broken.path} cannot be used: ${broken.problem} Tell the user.`;
  return `There is no skill "${oneLine(asked, 80)}". These are:\n${skillNames(current.skills) || "none"}`;
}
