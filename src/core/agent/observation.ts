/** What a call gives back to the loop, and its records: blobs first, then the records that name them (docs/context.md). */
import { defined, some } from "../../shared/defined";
import type { HookRun } from "../../shared/hooks";
import { isObject } from "../../shared/isObject";
import type { Trust } from "../../shared/manifest";
import type { LoggedMessage, ToolCallPart } from "../../shared/messages";
import type { NewRecord } from "../../shared/records";
import { mapStrings, type Redact, type Redacted } from "../../shared/redacted";
import type { ErrorCode, ToolResult, ToolStatus } from "../../shared/toolResult";
import type { StepPlace } from "../context/requests/request";
import type { Clock, Hash, Ids, Pictures, SessionFiles } from "../ground/ports";
import { counted, cutPoint, oneLine, recallHint, toHandle } from "../ground/text/format";
import { markHidden } from "../ground/text/hiddenText";
import { keepText } from "../log/recordedTexts";
import { compressResult, type ResultForms, settledInput } from "../tool/resultForms";
import type { Image, ToolOutcome } from "../tool/tool";

export interface Observation extends ToolOutcome {
  /** a person allowed exactly these changes, with all of them shown */
  seen?: true | undefined;
  /** ms that the call took, not counting the time a person took to answer */
  durationMs?: number;
  hooks?: readonly HookRun[];
  /** where the content of the result comes from; absent: a tool */
  trust?: Trust;
}

const PATH_CHARACTERS = 200;

/** The result of a call that gave none. */
export function errorResult(
  call: { toolName: string },
  code: ErrorCode,
  message: string,
  data: ToolResult["data"] = {},
): Observation {
  const line = message.split("\n", 1)[0] ?? "";
  const digest = `${call.toolName} · ${line}`.slice(0, 500);
  return { result: { status: "error", data, text: `${code}: ${message}`, digest, error: { code, message } } };
}

export function deniedObservation(call: ToolCallPart, message: string, by?: "mode" | "trust" | "rule" | "hook") {
  const denied = errorResult(call, "DENIED", message);
  return by ? { ...denied, result: { ...denied.result, error: { code: "DENIED" as const, message, by } } } : denied;
}

interface ObservationPorts {
  files: { putBlob: SessionFiles["putBlob"] };
  hash: Hash;
  redact: Redact;
  /** the folder in which commands run from here on, where this call changed it */
  cwd?: string | undefined;
  /** how the tool's results are kept; undefined: as any text */
  forms?: ResultForms | undefined;
  /** absent: they are kept as they are */
  pictures?: Pictures | undefined;
}

/** Rejects with StorageError where a blob could not be written. */
export async function observationRecords(
  place: StepPlace & { messageId: string },
  call: ToolCallPart,
  given: Observation,
  ports: ObservationPorts,
): Promise<NewRecord[]> {
  const { images: fit, notes } = await fitImages(given.images ?? [], ports.pictures);
  const text = [given.result.text, ...notes].join("\n");
  const told = notes.length === 0 ? given : { ...given, result: { ...given.result, text } };
  const observation = given.trust === "mcp" ? await boundForeign(told, ports) : told;
  const { messageId, turn, step } = place;
  const { result, stamps, changes, todos, reads, restates, taskId, watched, seen, trust, foundTools, ended } =
    observation;
  const images = await storeImages(fit, ports);
  // Where the shown text is all of the output, the record itself holds it.
  const shown = () => ({ sha256: ports.hash.sha256(result.text), bytes: new TextEncoder().encode(result.text).length });
  const raw = { ...(observation.raw ?? shown()), inline: !observation.raw };
  // What only points to an earlier result leads there in its folded form too.
  const handle = restates?.handle ?? toHandle(raw.sha256);
  const { input, inputTexts } = await settleInput(call, result.status, ports);
  const record: NewRecord = {
    kind: "result",
    messageId,
    callId: call.toolCallId,
    toolName: call.toolName,
    turn,
    step,
    status: result.status,
    digest: result.digest.slice(0, 500),
    ...defined({ error: result.error }),
    durationMs: observation.durationMs ?? 0,
    forms: { ...compressResult(result, handle, ports.forms), ...defined({ input }) },
    raw,
    ...defined({
      inputTexts: some(inputTexts),
      stamps: stamps?.length ? Object.fromEntries(stamps.map(({ uri, stamp }) => [uri, stamp])) : undefined,
      changes: some(changes),
      reads: some(reads),
      restates: restates && { messageId: restates.messageId, callId: restates.callId },
      trust,
      taskId,
      ended,
      watched,
      seen,
      foundTools: some(foundTools),
      cwd: ports.cwd,
      hooks: observation.hooks?.length ? [...observation.hooks] : undefined,
      images: some(images),
    }),
  };
  return todos ? [{ kind: "todo", todos }, record] : [record];
}

/** Characters of a foreign tool's result that the model gets at once: its beginning and its end. */
const MAX_FOREIGN = 8_000;

/** Our own tools bound what they give themselves. The whole of a foreign one's is kept behind a handle. */
async function boundForeign(observation: Observation, ports: ObservationPorts): Promise<Observation> {
  const { text } = observation.result;
  if (text.length <= MAX_FOREIGN || observation.raw) return observation;
  const raw = await keepText(ports.redact(text), ports);
  const head = text.slice(0, cutPoint(text, MAX_FOREIGN / 2));
  const tail = text.slice(cutPoint(text, text.length - MAX_FOREIGN / 2));
  const left = counted(text.length - head.length - tail.length, "more character");
  const shown = `${head}\n… ${left}, ${toHandle(raw.sha256)} has all: ${recallHint(raw.sha256)} …\n${tail}`;
  return { ...observation, result: { ...observation.result, text: shown }, raw };
}

/** Written text is found in its file; scripts, and text that was not written, behind a handle. */
async function settleInput({ input: asked }: ToolCallPart, status: ToolStatus, ports: ObservationPorts) {
  const { hash, redact } = ports;
  const texts = new Map<string, Redacted>();
  const written = status !== "error" && isObject(asked) && typeof asked.file_path === "string" ? asked.file_path : "";
  const own = ports.forms?.input?.(asked);
  const shorter = settledInput(mapStrings(own ?? asked, redact), text => {
    if (written !== "") return `see ${oneLine(redact(written), PATH_CHARACTERS)}`;
    const clean = redact(text);
    const sha256 = hash.sha256(clean);
    texts.set(sha256, clean);
    return toHandle(sha256);
  });
  const input = shorter ?? own;
  const inputTexts: Awaited<ReturnType<typeof keepText>>[] = [];
  for (const text of texts.values()) inputTexts.push(await keepText(text, ports));
  return { input, inputTexts };
}

/**
 * Pictures as providers take them; others are left out. `notes` tell the model so.
 * @param pictures absent: they are kept unchanged
 */
export async function fitImages(images: readonly Image[], pictures: Pictures | undefined) {
  if (!pictures) return { images: [...images], notes: [] };
  const fit: Image[] = [];
  const notes: string[] = [];
  for (const image of images) {
    const made = await pictures.fit(image.bytes);
    if ("why" in made) {
      notes.push(`[The picture ${image.path} is left out: ${made.why}.]`);
      continue;
    }
    const { bytes, mediaType, note } = made;
    if (note !== undefined) notes.push(`[The picture ${image.path} was ${note}.]`);
    fit.push({ ...image, bytes, mediaType });
  }
  return { images: fit, notes };
}

/** Kept in the session, by their hash. Rejects with StorageError. */
export async function storeImages(
  images: readonly Image[],
  { files, hash }: { files: ObservationPorts["files"]; hash: Hash },
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
export const resultImages = (records: readonly NewRecord[]): LoggedMessage["parts"] =>
  imageParts(records.flatMap(record => (record.kind === "result" ? (record.images ?? []) : [])));

/** Pictures that are kept, each behind its name. */
export const imageParts = (images: readonly { path: string; mediaType: string; url: string }[]) =>
  images.flatMap(({ path, mediaType, url }): LoggedMessage["parts"] => {
    const filename = markHidden(path);
    return [
      { type: "text", text: `Image of ${filename}:` },
      { type: "file", mediaType, url, filename },
    ];
  });

/** Pictures behind the message, or the results, that they came with. A line replaces each once the turn has settled. */
export function pictureMessage(
  parts: LoggedMessage["parts"],
  { turn, step, runId }: StepPlace,
  parentId: string | null,
  { clock, ids }: { clock: Clock; ids: Ids },
): NewRecord {
  const metadata = { ts: clock.now(), turn, step, runId, kind: "notice" as const, settles: true as const };
  return { kind: "message", parentId, message: { id: ids.next("msg"), role: "user", parts, metadata } };
}
