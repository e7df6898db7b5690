/** The quick fixes that language extensions offer for a file, a line or a symbol. */
import type { ToolDiagnostics } from "../changes/diagnostics/afterEdit";
import type { CodeAction, CodeRange, FileRef } from "../ground/ports";
import type { CallContext } from "../tool/tool";
import { answered, LOOK_MS } from "./codeAnswer";
import { type CodePorts, codeLines, findPlace, type NamedPlace } from "./codePlace";

/** What the problems of the file are is found out first: without them most extensions offer nothing. */
export async function fixesAt(
  ports: CodePorts & { diagnostics?: ToolDiagnostics | undefined },
  ref: FileRef,
  asked: NamedPlace,
  call: CallContext,
): Promise<readonly CodeAction[]> {
  const { code, clock, diagnostics } = ports;
  const lines = await codeLines(ports, ref, call);
  const line = asked.symbol === undefined ? asked.line : (await findPlace(ports, asked, call)).at.line;
  await diagnostics?.source.look(ref, Math.max(diagnostics.waitMs(), 2_000), call.signal);
  call.signal.throwIfAborted();
  const range: CodeRange | undefined =
    line === undefined
      ? undefined
      : { start: { line, column: 1 }, end: { line, column: (lines[line - 1] ?? "").length + 1 } };
  const ask = (stop: AbortSignal) => code.actions(ref, range, "quickfix", stop);
  return answered(ask, { clock, signal: call.signal, limit: LOOK_MS });
}
