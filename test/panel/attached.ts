import type { Script } from "./script";

/** What the newest user's message of a script attached, as the host sends it. */
export function attached(script: Script, name: string, title: string, { empty = false } = {}): Script {
  const message = script.records.findLast(record => record.kind === "message" && record.message.role === "user");
  if (message?.kind !== "message") throw new Error("nobody said anything");
  const { turn, runId } = message.message.metadata;
  return script.record({
    kind: "attachment",
    messageId: `attached_${script.records.length + 1}`,
    parentId: message.message.id,
    ...{ turn, runId, name, title, text: "" },
    ...(empty ? { trust: "strata", empty } : { trust: "workspace" }),
  });
}
