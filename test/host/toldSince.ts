import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";

/** Of the newest message of the user, what tools said since. */
export function toldSince({ messages }: OfflineRequest): string[] {
  const from = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(from).flatMap(({ role, text }) => (role === "tool" ? [text] : []));
}
