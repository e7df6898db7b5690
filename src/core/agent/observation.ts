/** What a call gives back to the loop, and what stays of it: blobs first, then the records that name them (docs/context.md). */
import type { Trust } from "../../shared/manifest";
import type { LoggedMessage, ToolCallPart } from "../../shared/messages";
import type { NewRecord } from "../../shared/records";
import type { ErrorCode, ToolResult } from "../../shared/toolResult";
import type { Hash, SessionFiles } from "../ports";
import type { StepPlace } from "../requests/request";
import { toHandle } from "../text/format";
import { compressResult, type ResultForms } from "../toolkit/resultForms";
import type { Image, ToolOutcome } from "../toolkit/tool";

export interface Observation extends ToolOutcome {
  /** Somebody had to be asked and nobody was there. */
  unanswered?: boolean;
  /** ms that the call took, not counting the time a person took to answer */
  durationMs?: number;
  /** where the content of the result comes from; absent: a tool */
  trust?: Trust;
}

/** The result of a call that gave none. */
export function errorResult(
  call: Pick<ToolCallPart, "toolName">,
  code: ErrorCode,
  message: string,
  data: ToolResult["data"] = {},
): Observation {
  const line = message.split("\n", 1)[0] ?? "";
  const digest = `${call.toolName} · ${line}`.slice(0, 500);
  return { result: { status: "error", data, text: `${code}: ${message}`, digest, error: { code, message } } };
}

interface ObservationPorts {
  files: Pick<SessionFiles, "putBlob">;
  hash: Hash;
  /** the folder in which commands run from here on, where this call changed it */
  cwd?: string | undefined;
  /** how the tool's results are kept; undefined: as any text */
  forms?: ResultForms | undefined;
}

/** Rejects with StorageError where a blob could not be written. */
export async function observationRecords(
  place: StepPlace & { messageId: string },
  call: ToolCallPart,
  observation: Observation,
  ports: ObservationPorts,
): Promise<NewRecord[]> {
  const { messageId, turn, step } = place;
  const { result, stamps, changes, todos, reads, restates, taskId, trust } = observation;
  const images = await storeImages(observation.images ?? [], ports);
  const shown = new TextEncoder().encode(result.text);
  // Where the shown text is all of the output, the record itself holds it.
  const raw = {
    ...(observation.raw ?? { sha256: ports.hash.sha256(shown), bytes: shown.length }),
    inline: !observation.raw,
  };
  // What only points to an earlier result leads there in its folded form too.
  const handle = restates?.handle ?? toHandle(raw.sha256);
  const record: NewRecord = {
    ...{ kind: "result", messageId, callId: call.toolCallId, toolName: call.toolName, turn, step },
    status: result.status,
    digest: result.digest.slice(0, 500),
    ...(result.error ? { error: result.error } : {}),
    durationMs: observation.durationMs ?? 0,
    forms: compressResult(call.toolName, result, handle, ports.forms),
    raw,
    ...(stamps?.length ? { stamps: Object.fromEntries(stamps.map(({ uri, stamp }) => [uri, stamp])) } : {}),
    ...(changes?.length ? { changes } : {}),
    ...(reads?.length ? { reads } : {}),
    ...(restates ? { restates: { messageId: restates.messageId, callId: restates.callId } } : {}),
    ...(trust ? { trust } : {}),
    ...(taskId === undefined ? {} : { taskId }),
    ...(ports.cwd === undefined ? {} : { cwd: ports.cwd }),
    ...(images.length ? { images } : {}),
  };
  return todos ? [{ kind: "todo", todos }, record] : [record];
}

async function storeImages(images: readonly Image[], { files, hash }: ObservationPorts) {
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
