/** How the reminder of a message names what was found when it was sent, so that the panel can tell later. Pure. */

/** @param name as the user wrote it, without `@`; of a folder with `/` at its end */
export const remindedLine = (name: string) => `The user mentioned @${name}.`;

/** The names that a reminder has: at most five, whatever the message mentions. */
export function remindedNames(reminder: string): string[] {
  return [...reminder.matchAll(/^The user mentioned @(.+)\.$/gm)].flatMap(([, name]) => name ?? []);
}
