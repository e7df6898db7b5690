/** The commands that need no agent. Each loads what it needs. */
import type { DirectCommand } from "../terminal/args";
import { type CliOutcome, carriedOut, type PlaceArgs, type SessionPlace } from "./place";

export const withoutAgent = (command: DirectCommand, where: PlaceArgs): Promise<CliOutcome> =>
  carriedOut(where, place => carryOut(command, place));

async function carryOut(command: DirectCommand, place: SessionPlace): Promise<number> {
  switch (command.kind) {
    case "permit":
      return (await import("./permit")).withPermit(command, place);
    case "hooks":
      return (await import("./hooks")).withHooks(command, place);
    case "mcp":
      return (await import("./mcp")).withMcp(command, place);
    case "models":
      return (await import("./models")).withModels(command, place);
    case "skills":
      return (await import("./skills")).withSkills(command, place);
    default:
      return (await import("./sessions")).withSessions(command, place);
  }
}
