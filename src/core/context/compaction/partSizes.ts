/** What parts of messages take in a request, in each form. */
import type { StrataMessage } from "../../../shared/messages";
import { estimateTokens } from "../../ground/text/estimate";
import type { ToolOutput } from "../../log/conversation";
import { type Form, inputOf, outputForm } from "../compose";

/** A part of a message as it is sent: all but its output, its output, that folded. Estimates. */
interface PartSize {
  /** of a result; absent: it is none */
  callId?: string;
  rest: number;
  output: number;
  folded: number;
}

/** Sizes of messages: counted once for each state of a message, since it is replaced when it changes. */
export class PartSizes {
  private readonly known = new Map<Form, WeakMap<StrataMessage, PartSize[]>>();

  of(message: StrataMessage, form: Form): PartSize[] {
    const known = this.known.get(form) ?? new WeakMap<StrataMessage, PartSize[]>();
    const sizes = known.get(message) ?? message.parts.map(part => sizeOf(part, form));
    this.known.set(form, known.set(message, sizes));
    return sizes;
  }
}

function sizeOf(part: StrataMessage["parts"][number], form: Form): PartSize {
  if (part.type !== "dynamic-tool" || part.state !== "output-available") {
    return { rest: estimateTokens(JSON.stringify(part)), output: 0, folded: 0 };
  }
  const result = part.output as ToolOutput;
  const output = estimateTokens(result[outputForm(result, form)]);
  return {
    callId: part.toolCallId,
    rest: estimateTokens(JSON.stringify(inputOf(part, form))),
    output,
    folded: Math.min(output, estimateTokens(result.folded)),
  };
}
