/** `strata verify` and `strata show --request`: read only, they change nothing. */
import { canonicalJson } from "../core/context/compose";
import type { Hash, SessionStorage } from "../core/ports";
import type { BodyAsSent } from "../core/verify/bodies";
import { type RebuiltRequest, type RebuiltSegment, rebuildRequest } from "../core/verify/rebuild";
import type { Defect } from "../core/verify/requestChain";
import { type VerifyReport, verifySession } from "../core/verify/verify";
import { count } from "../shared/format";
import { printableJson } from "../shared/shown";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";
import { withFiles } from "./sessions";

interface Wanted {
  session: string;
  json: boolean;
}

/** More of them say nothing new to a person; `--json` has all. */
const MAX_DEFECTS = 20;

/** Exit code: 0 all proven, 1 something is not as it was sent. Rejects with StorageError and the errors of opening a log. */
export function verify(
  storage: SessionStorage,
  hash: Hash,
  { session, json, bodyAsSent }: Wanted & { bodyAsSent?: BodyAsSent },
  { out }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const report = await verifySession(files, hash, bodyAsSent ? { bodyAsSent } : {});
    out(json ? jsonLine(report) : reportText(report));
    return report.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}

/** Exit code as `verify` has it. Rejects with NoRequestError too. */
export function showRequest(
  storage: SessionStorage,
  hash: Hash,
  { session, json, request }: Wanted & { request: number },
  { out, err }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const rebuilt = await rebuildRequest(files, hash, request);
    if (!json) out(requestText(rebuilt));
    else if (rebuilt.content) out(`${printableJson(canonicalJson(rebuilt.content))}\n`);
    else err("The request cannot be rebuilt, so there is no JSON of it.\n");
    for (const defect of rebuilt.defects) err(`${defectText(defect)}\n`);
    return rebuilt.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}

function reportText(report: VerifyReport): string {
  const { requests, proven, tokens, breaks, observations, archives, bodies, defects, notes } = report;
  const percent = tokens.sent === 0 ? 0 : Math.round((100 * tokens.shared) / tokens.sent);
  const causes = Object.entries(breaks).map(([cause, count]) => `${cause} ${count}`);
  const lines = [
    defects.length === 0
      ? "Everything is there as it was sent."
      : `${count(defects.length, "thing")} not as it should be.`,
    `${count(requests, "request")}, ${proven} proven`,
    `${count(tokens.sent, "token")} sent (estimate), ${percent} % of them shared with the request before`,
    `prefix breaks: ${causes.join(", ") || "none"}`,
    `${count(observations, "observation")} as recorded`,
    ...(bodies === undefined ? [] : [`bodies made again, as they left: ${bodies} of ${requests}`]),
    ...(archives > 0 ? [`${count(archives, "archive")} as written`] : []),
    ...notes.map(note => `· ${note}`),
    ...defects.slice(0, MAX_DEFECTS).map(defectText),
    ...followers(report),
    ...(defects.length > MAX_DEFECTS ? [`! … and ${defects.length - MAX_DEFECTS} more; --json has all of them.`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Where one thing alone is wrong, every request that is not proven has it, or builds on it. */
function followers({ requests, proven, defects }: VerifyReport): string[] {
  const others = requests - proven - 1;
  if (defects.length !== 1 || others < 1) return [];
  return [
    others === 1
      ? "· One more request is not proven: that follows from this."
      : `· ${others} more requests are not proven: that follows from this.`,
  ];
}

function defectText({ request, requestId, segment, source, expected, found, text }: Defect): string {
  const place = [
    request === undefined ? (requestId ?? "") : `request ${request}`,
    segment === undefined ? "" : `segment ${segment}`,
    source ?? "",
  ];
  const hashes = expected === undefined ? "" : `\n    expected ${expected}\n    found    ${found ?? "nothing"}`;
  return `! ${place.filter(Boolean).join(", ")}: ${text}${hashes}`;
}

function requestText({ number, manifest, segments }: RebuiltRequest): string {
  const lines = [`Request ${number}`];
  if (manifest) {
    const { turn, step, attempt, model, ts, requestId, sharedTokens, totalTokens, cause } = manifest;
    lines.push(
      `${requestId}, turn ${turn}, step ${step}, attempt ${attempt}, ${model}, ${new Date(ts).toISOString()}`,
      `${totalTokens} tokens (estimate), ${sharedTokens} shared with the request before${cause ? `; prefix broken by ${cause}` : ""}`,
      `call options ${JSON.stringify(manifest.callOptions)}`,
    );
  }
  const blocks = segments.map((segment, at) => `${segmentTitle(segment, at)}\n${segmentText(segment)}`);
  return `${[lines.join("\n"), ...blocks].join("\n\n")}\n`;
}

function segmentTitle({ layer, role, source, form, tokens, trust }: RebuiltSegment, at: number): string {
  return `── ${at + 1}  ${layer}  ${role}  ${source}  ${form}  ${count(tokens, "token")}  trust: ${trust}`;
}

function segmentText({ content }: RebuiltSegment): string {
  if (content === undefined) return "(not there as it was sent)";
  return valueText(JSON.parse(content));
}

/** What a segment says: texts as they are, everything else as JSON. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join("\n");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const part = value as Record<string, unknown>;
  if ("content" in part) return valueText(part.content);
  if ("inputSchema" in part) return `${part.name}: ${JSON.stringify(part)}`;
  if (part.type === "text") return valueText(part.text);
  if (part.type === "reasoning") return `(thinking) ${part.text}`;
  if (part.type === "tool-call") return `→ ${part.toolName} ${part.toolCallId} ${JSON.stringify(part.input)}`;
  if (part.type === "tool-result")
    return `← ${part.toolName} ${part.toolCallId}\n${valueText(outputValue(part.output))}`;
  if (part.type === "file") return `[${part.mediaType}, ${String(part.data).length} characters of base64]`;
  return JSON.stringify(part);
}

function outputValue(output: unknown): unknown {
  return typeof output === "object" && output !== null && "value" in output ? output.value : output;
}
