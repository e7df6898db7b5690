/** Requests of a session on disk as a model reads them: rebuilt from manifest, log and blobs; bundled by bench/context.mjs. */
import type { ModelMessage } from "ai";
import { rebuildRequest } from "../../../src/core/proof/rebuild";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import type { Manifest } from "../../../src/shared/manifest";
import { hash } from "../../../test/fakes/hash";
import { tokensOf } from "./meter";

/** @param manifests of the session in `folder`, in order @param turn of which the last request is printed */
export async function printedRequest(folder: string, id: string, manifests: readonly Manifest[], turn: number) {
  const at = manifests.findLastIndex(manifest => manifest.turn === turn && !manifest.purpose);
  const files = await new NodeStorage(folder).open(id, { readOnly: true });
  const { content, defects } = await rebuildRequest(files, hash, at + 1);
  await files.close();
  if (!content || defects.length > 0)
    throw new Error(`request ${at + 1} cannot be rebuilt: ${JSON.stringify(defects)}`);
  const tools = content.tools.map(({ name, description }) => `${name}: ${description}`).join("\n");
  const parts = [`[tools]\n${tools}`, `[system]\n${content.instructions}`, ...content.messages.map(printed)];
  const title = `Turn ${turn}, request ${at + 1}: ${content.messages.length} messages, ${tokensOf(parts.join("\n"))} tokens`;
  return [title, ...parts].join("\n\n");
}

function printed({ role, content }: ModelMessage): string {
  if (typeof content === "string") return `[${role}]\n${content}`;
  const texts = content.map(part => {
    if (part.type === "text" || part.type === "reasoning") return part.text;
    if (part.type === "tool-call") return `→ ${part.toolName} ${JSON.stringify(part.input)}`;
    if (part.type === "tool-result") return `← ${part.output.type === "text" ? part.output.value : part.output.type}`;
    return `(${part.type})`;
  });
  return `[${role}]\n${texts.join("\n")}`;
}
