/** Why a server cannot be reached. */
import { errorMessage } from "../../shared/errorMessage";

/** It wants the person to sign in. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error &&
  (/Unauthorized|InsufficientScope/.test(error.name + error.constructor.name) ||
    ("status" in error && error.status === 401));

/** Its authorization server registers no client that comes by itself. */
export const wantsClientId = (error: unknown): boolean =>
  /dynamic client registration|registration rejected/i.test(errorMessage(error));

/** For people: how its process ended, and what it said last. */
export function howItEnded(how: string, printed: string): string {
  const words = lastWords(printed);
  return words === "" ? how : `${how}. It printed: ${words}`;
}

/** What it said last, in a line. */
export const lastWords = (printed: string): string => printed.trim().split("\n").slice(-5).join(" · ").slice(-600);

export const SANDBOX_HINT =
  'It runs in the sandbox, where it cannot change the workspace, nor reach this machine\'s own network and other programs. If it needs to, set "sandbox": false in its entry of the configuration, which asks the user for their approval again.';

/** What it says may be what the sandbox keeps from it. */
export const isOfSandbox = (words: string): boolean =>
  /EROFS|Read-only file system|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|\b403 Forbidden/i.test(words);
