/** What a result says of the shell that a command had: what it was about to leave there is gone with it. */

/** no part of `&&`, `2>&1`, `&>`, `|&` */
const SENT_BEHIND = /(?<![&<>|\\])&(?![&>])/;

export const leftBehindNote = (command: string): string =>
  `Processes that the command left running were ended with it.${SENT_BEHIND.test(command) ? " What is to stay (a server, a watcher) needs run_in_background." : ""}`;

/** Its last part changes what only its own shell has: whoever wrote that counts on it for the next call. */
const CHANGES_ITS_SHELL =
  /^\s*(?:(?:export|declare|typeset|source|\.|alias|unalias|unset|set|shopt|umask|ulimit|nvm use|fnm use|conda activate|mamba activate|workon|pyenv shell|asdf shell|module load|deactivate)(?:\s|$)|eval\s+["'`]?\$?[(`]|\w+=(?:[^\s"'$]*|"[^"]*"|'[^']*')\s*$)/;
const LISTS = /^\s*(?:export|declare|typeset|alias|set|shopt|umask|ulimit)\s*(?:-[apS]+\b|$)/;

/** @param command that did not fail */
export function shellNotes(command: string): string[] {
  const last =
    command
      .trimEnd()
      .split(/&&|;|\n/)
      .at(-1) ?? "";
  if (!CHANGES_ITS_SHELL.test(last) || LISTS.test(last) || last.includes("|")) return [];
  return [
    "Variables, functions, aliases and activated environments ended with this call, only the working directory stays: set them in the call that needs them.",
  ];
}
