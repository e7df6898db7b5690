/** The tools of a session, in the order in which models see them: it never changes, since it is part of the prefix. */
import type { SessionLog } from "../history/handles";
import type { BlobWriter, Files, Search, Shell } from "../ports";
import { bashTool } from "./bash";
import { editTool } from "./edit";
import { globTool } from "./glob";
import { grepTool } from "./grep";
import { lsTool } from "./ls";
import { multiEditTool } from "./multiEdit";
import { readTool } from "./read";
import { recallTool } from "./recall";
import { todoWriteTool } from "./todoWrite";
import type { Tool } from "./tool";
import { writeTool } from "./write";

export interface ToolPorts {
  files: Files;
  search: Search;
  shell: Pick<Shell, "run">;
  /** Where outputs go that are too long to be shown. */
  blobs(): BlobWriter;
  /** The working directory of commands, kept between calls; absolute. At creation: where it falls back to. */
  cwd: { get(): string; set(path: string): void };
  /** `strata.bash.timeoutSeconds`, in ms */
  bashTimeoutMs(): number;
  /** what Recall searches */
  log: SessionLog;
}

export function createTools(ports: ToolPorts): Tool[] {
  return [
    readTool(ports),
    lsTool(ports),
    globTool(ports),
    grepTool(ports),
    editTool(ports),
    multiEditTool(ports),
    writeTool(ports),
    bashTool(ports),
    todoWriteTool(),
    recallTool(ports),
  ];
}
