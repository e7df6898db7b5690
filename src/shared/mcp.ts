/** MCP servers as people see them: in the servers view and in the terminal. */

export interface McpServerView {
  name: string;
  /** the file that names it, for people */
  file: string;
  level: "user" | "workspace";
  /** its command or address, as the file has it */
  target: string;
  /** names of what its environment has, or which headers are sent to it */
  environment: readonly string[];
  /** `unasked`: the person did not agree to it yet. `signed-out`: it wants the person to sign in */
  state: "off" | "unasked" | "idle" | "starting" | "running" | "failed" | "signed-out";
  /** why it failed, a sentence */
  error?: string;
  /** what it says it is, and the protocol's revision: "everything 2.0.0, 2025-11-25" */
  identity?: string;
  /** absent: nobody looked yet */
  tools?: readonly McpToolView[];
  prompts?: readonly { name: string; description: string }[];
  resources?: readonly { name: string; uri: string }[];
}

interface McpToolView {
  /** `server:tool` */
  name: string;
  description: string;
  /** what its definition takes of a request */
  tokens: number;
  off: boolean;
}

/** An entry of a configuration that cannot be used, a sentence. */
export type McpProblem = string;
