import { visibleText } from "../../shared/shown";

/**
 * For VS Code's messages and lists, where texts of servers, files and sessions stand too: nothing in it is hidden, and what
 * VS Code would make a link, a command's among them, stays text.
 */
export const messageText = (text: string): string => visibleText(text).replaceAll("](", "] (");

/** For lists: `$(date)` in a command is no icon there. */
export const withoutIcons = (text: string): string => text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");
