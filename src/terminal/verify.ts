/** `strata verify` and `strata show --request`: read only, they change nothing. */
import { canonicalJson } from "../core/context/compose";
import type { Hash, SessionStorage } from "../core/ports";
import type { BodyAsSent } from "../core/verify/bodies";
import { factsReport } from "../core/verify/facts";
import { type RebuiltRequest, type RebuiltSegment, rebuildRequest } from "../core/verify/rebuild";
import { defectLine, proofReport, saidReport } from "../core/verify/report";
import { verifySession } from "../core/verify/verify";
import { count } from "../shared/format";
import { printableJson } from "../shared/shown";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";
import { printReport } from "./report";
import { withFiles } from "./sessions";

interface VerifyArgs {
  session: string;
  json: boolean;
}

/** Exit code: 0 all proven, 1 something is not as it was sent. Rejects with StorageError and the errors of opening a log. */
export function verify(
  storage: SessionStorage,
  hash: Hash,
  { session, json, bodyAsSent }: VerifyArgs & { bodyAsSent?: BodyAsSent },
  { out }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const report = await verifySession(files, hash, bodyAsSent ? { bodyAsSent } : {});
    if (json) out(jsonLine(report));
    else printReport(proofReport(report), { out });
    return report.defects.length === 0 ? EXIT.done : EXIT.error;
  });
}

/** `strata verify --facts`. Rejects with StorageError and the errors of opening a log. */
export function printFacts(
  storage: SessionStorage,
  hash: Hash,
  { session, json }: VerifyArgs,
  { out }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const facts = await factsReport(files, hash);
    if (json) out(jsonLine(facts));
    else printReport(saidReport(facts), { out });
    return EXIT.done;
  });
}

/** Exit code as `verify` has it. Rejects with NoRequestError too. */
export function showRequest(
  storage: SessionStorage,
  hash: Hash,
  { session, json, request }: VerifyArgs & { request: number },
  { out, err }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const rebuilt = await rebuildRequest(files, hash, request);
    if (!json) out(requestText(rebuilt));
    else if (rebuilt.content) out(`${printableJson(canonicalJson(rebuilt.content))}\n`);
    else err("The request cannot be rebuilt, so there is no JSON of it.\n");
    for (const defect of rebuilt.defects) err(`! ${defectLine(defect).label}\n`);
    return rebuilt.defects.length === 0 ? EXIT.done : EXIT.error;
  });
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
