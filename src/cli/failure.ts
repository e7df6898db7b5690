/** What a command failed with, said to a person. Loaded where one fails: it knows the errors of every part. */
import { ErrorForPeople } from "../core/ground/ports";
import { NoRequestError } from "../core/proof/rebuild";
import { UsageError, usageText } from "../terminal/argValues";
import { EXIT } from "../terminal/output";
import { SettingsError } from "../terminal/settings";

/** Why a command could not do what it was to, for people, and the exit code. */
export type CliFailure = { text: string; code: number };

/** What a person can mend is one sentence; anything else is a fault of ours, with its stack. */
export function explained(error: unknown): CliFailure {
  if (error instanceof UsageError) return { text: usageText(error), code: EXIT.usage };
  if (error instanceof SettingsError || error instanceof NoRequestError)
    return { text: error.message, code: EXIT.usage };
  if (error instanceof ErrorForPeople) return { text: error.message, code: EXIT.error };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.error };
}
