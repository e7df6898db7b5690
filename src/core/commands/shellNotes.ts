/** What a result says of the shell that a command had: what it was about to leave there is gone with it. */
import type { ScriptEnding } from "../permissions/shell/script";

export const leftBehindNote = (ending: ScriptEnding | undefined): string =>
  `Processes that the command left running were ended with it.${ending?.sendsBehind ? " What is to stay (a server, a watcher) needs run_in_background." : ""}`;

/** It changes what only its own shell has: whoever wrote that at the end counts on it for the next call. */
const CHANGES_ITS_SHELL =
  /^(?:(?:export|declare|typeset|source|\.|alias|unalias|unset|set|shopt|umask|ulimit|nvm use|fnm use|conda activate|mamba activate|workon|pyenv shell|asdf shell|module load|deactivate)(?:\s|$)|eval\s+["'`]?\$?[(`]|\w+=(?:[^\s"'$]*|"[^"]*"|'[^']*')$)/;
const LISTS = /^(?:export|declare|typeset|alias|set|shopt|umask|ulimit)\s*(?:-[apS]+\b|$)/;

/** @param ending of a command that did not fail */
export function shellNotes(ending: ScriptEnding | undefined): string[] {
  const { last = "" } = ending ?? {};
  if (!CHANGES_ITS_SHELL.test(last) || LISTS.test(last)) return [];
  return [
    "Variables, functions, aliases and activated environments ended with this call, only the working directory stays: set them in the call that needs them.",
  ];
}
