/**
 * What stays of an observation: blobs first, then the records that name them (docs/context.md).
 */
import type { LoggedMessage, ToolCallPart } from "../../shared/messages";
import type { NewRecord } from "../../shared/records";
import { compressResult } from "../context/compress";
import type { Hash, SessionFiles } from "../ports";
import type { StepPlace } from "../requests/request";
import { toHandle } from "../text/format";
import type { Image } from "../toolkit/tool";
import type { Observation } from "./observation";

const utf8 = new TextEncoder();

/** Rejects with StorageError where a blob could not be written. */
export async function observationRecords(
  place: StepPlace & { messageId: string },
  call: ToolCallPart,
  observation: Observation,
  ports: { files: Pick<SessionFiles, "putBlob">; hash: Hash; cwd?: string | undefined },
): Promise<NewRecord[]> {
  const { result, stamps, changes, todos, reads, restates, taskId } = observation;
  const images = await storeImages(observation.images ?? [], ports);
  const raw = observation.raw ? { ...observation.raw, inline: false } : inlineRaw(result.text, ports.hash);
  const record: NewRecord = {
    kind: "result",
    messageId: place.messageId,
    callId: call.toolCallId,
    toolName: call.toolName,
    turn: place.turn,
    step: place.step,
    status: result.status,
    digest: result.digest.slice(0, 500),
    ...(result.error ? { error: result.error } : {}),
    durationMs: observation.durationMs ?? 0,
    // What only points to an earlier result leads there in its folded form too.
    forms: compressResult(call.toolName, result, restates?.handle ?? toHandle(raw.sha256)),
    raw,
    ...(stamps?.length ? { stamps: Object.fromEntries(stamps.map(({ uri, stamp }) => [uri, stamp])) } : {}),
    ...(changes?.length ? { changes } : {}),
    ...(reads?.length ? { reads } : {}),
    ...(restates ? { restates: { messageId: restates.messageId, callId: restates.callId } } : {}),
    ...(taskId === undefined ? {} : { taskId }),
    ...(ports.cwd === undefined ? {} : { cwd: ports.cwd }),
    ...(images.length ? { images } : {}),
  };
  return todos ? [{ kind: "todo", todos }, record] : [record];
}

/** The shown text is all of the output: the record itself holds it. */
function inlineRaw(shown: string, hash: Hash) {
  return { sha256: hash.sha256(shown), bytes: utf8.encode(shown).length, inline: true };
}

async function storeImages(
  images: readonly Image[],
  { files, hash }: { files: Pick<SessionFiles, "putBlob">; hash: Hash },
) {
  const stored: { mediaType: string; url: string; path: string }[] = [];
  for (const { mediaType, bytes, path } of images) {
    const sha256 = hash.sha256(bytes);
    await files.putBlob(sha256, bytes);
    stored.push({ mediaType, url: `blob:${sha256}`, path });
  }
  return stored;
}

/** The pictures that a step's tools read follow its results as a message: not every provider takes them in a result. */
export function imageParts(records: readonly NewRecord[]): LoggedMessage["parts"] {
  const images = records.flatMap(record => (record.kind === "result" ? (record.images ?? []) : []));
  return images.flatMap(({ path, mediaType, url }): LoggedMessage["parts"] => [
    { type: "text", text: `Image of ${path}:` },
    { type: "file", mediaType, url, filename: path },
  ]);
}
