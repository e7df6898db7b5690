/** Where a run leaves its results (`strata run --out DIR`). With the agent a program of its own. */
import type { RunCommand } from "../terminal/args";
import { RunFolder } from "../terminal/runFolder";
import { withAgent } from "./agent";
import type { CliOutcome, PlaceArgs } from "./place";

export const withRunFolder = (command: RunCommand, where: PlaceArgs): Promise<CliOutcome> =>
  withAgent(command, where, { openFolder: RunFolder.open });
