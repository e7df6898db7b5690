/** The tools of a session, in the order in which models see them: it never changes, since it is part of the prefix. */
import type { FileVersion } from "../../../shared/toolResult";
import type { ToolDiagnostics } from "../../changes/diagnostics/problems";
import { editTool, writeTool } from "../../changes/edit";
import type { BackgroundTasks } from "../../commands/background";
import { type BashPorts, bashTool } from "../../commands/bash";
import { bashOutputTool } from "../../commands/taskTools";
import type { Clock, CodeIntelligence, Files, Search } from "../../ground/ports";
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
import type { Tool } from "../../tool/tool";
import { askUserTool, todoWriteTool } from "./ofSession";

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
}

export function createTools(ports: ToolPorts): Tool[] {
  const { diagnostics, code } = ports;
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
  ];
}
