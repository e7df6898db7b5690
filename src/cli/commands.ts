/** The commands that need no agent. Each loads what it needs. */
import type { PlainCommand } from "../terminal/args";
import { carriedOut, type Outcome, type Place, type Where } from "./place";

export const withoutAgent = (command: PlainCommand, where: Where): Promise<Outcome> =>
  carriedOut(where, place => carryOut(command, place));

async function carryOut(command: PlainCommand, place: Place): Promise<number> {
  switch (command.kind) {
    case "permit":
      return (await import("./permit")).withPermit(command, place);
    case "hooks":
      return (await import("./hooks")).withHooks(command, place);
    case "mcp":
      if (command.action === "serve") return (await import("./mcpServe")).withServe(command, place);
      return (await import("./mcp")).withMcp(command, place);
    case "models":
      return (await import("./models")).withModels(command, place);
    case "skills":
      return (await import("./skills")).withSkills(command, place);
    default:
      return (await import("./sessions")).withSessions(command, place);
  }
}
