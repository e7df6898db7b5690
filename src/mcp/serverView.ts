/** A server as people see it. Pure. */
import { defined } from "../shared/defined";
import type { McpServerView } from "../shared/mcp";
import type { ServerList } from "./config/agreements";
import type { ServerConfig } from "./config/serverConfig";
import { namedEnvironment } from "./config/variables";
import type { ToolName } from "./tools/definition";

interface SeenServer {
  state: McpServerView["state"];
  config: ServerConfig;
  hash: string;
  list: ServerList | undefined;
  /** the text of its `envFile` */
  envFile: string;
  tools: readonly ToolName[] | undefined;
  error: string | undefined;
  question: McpServerView["question"];
  /** the person agreed to this workspace's server */
  agreed: boolean;
  signedIn: boolean | undefined;
  signInAt: string | undefined;
}

export function serverView(
  { config, hash, envFile, list, tools = [], error, question, agreed, signedIn, signInAt, state }: SeenServer,
  isOff: (name: string) => boolean,
  tokens: (tool: ToolName) => number,
): McpServerView {
  const { launch, origin, name } = config;
  const target = launch.type === "stdio" ? [launch.command, ...launch.args].join(" ") : launch.url;
  const identity =
    list?.server && [`${list.server.name} ${list.server.version}`, list.protocol].filter(Boolean).join(", ");
  return {
    name,
    hash,
    file: origin.shown,
    path: origin.file,
    level: origin.level,
    target,
    environment: namedEnvironment(config, envFile),
    state,
    ...defined({ error, identity, question, agreed: agreed || undefined, signedIn, signInAt }),
    ...(list && {
      tools: tools.map(tool => ({
        name: tool.name,
        description: tool.tool.description,
        tokens: tokens(tool),
        off: isOff(tool.name),
      })),
      prompts: list.prompts.map(({ name, description = "" }) => ({ name, description })),
      resources: list.resources.map(({ name, uri }) => ({ name, uri })),
    }),
  };
}
