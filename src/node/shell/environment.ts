/** The environment of commands: no terminal, nobody who answers, and none of the agent's own secrets. */

/** Keys that Strata itself uses; a command has no need of them, and its output goes to a model. */
const OWN_SECRETS = /^OPENAI_API_KEY$|^STRATA_.*(KEY|TOKEN|SECRET|PASSWORD)/i;

/** What an editor's process sets for itself and what would make a program started from it misbehave. */
const NOT_FOR_COMMANDS = /^(ELECTRON_.*|VSCODE_.*|FORCE_COLOR|CLICOLOR_FORCE|OLDPWD)$/;

const FIXED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  // asking for a password would wait for ever: fail instead
  GIT_TERMINAL_PROMPT: "0",
  // take the proposed message (merge, rebase --continue) instead of waiting for an editor that nobody closes
  GIT_EDITOR: "true",
};

export function commandEnvironment(
  env: NodeJS.ProcessEnv,
  isSecret: (name: string) => boolean = () => false,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !OWN_SECRETS.test(name) && !NOT_FOR_COMMANDS.test(name) && !isSecret(name),
  );
  return { ...Object.fromEntries(kept), ...FIXED };
}
