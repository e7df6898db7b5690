/** What parts of messages take in a request, in each form. */
import type { StrataMessage } from "../../shared/messages";
import { toolTraits } from "../../shared/toolTraits";
import { type Form, inputOf, outputForm } from "../context/compose";
import type { ToolOutput } from "../history/conversation";
import { estimateTokens } from "../text/estimate";

/** A part of a message as it is sent: all but its output, its output, that folded. Estimates. */
interface PartSize {
  /** of a result; absent: it is none */
  callId?: string;
  /** folding leaves it as long as there is room; what is no result stays */
  staysWhole: boolean;
  rest: number;
  output: number;
  folded: number;
}

/** Sizes of messages: counted once for each state of a message, since it is replaced when it changes. */
export class PartSizes {
  private readonly known = { shown: new WeakMap(), kept: new WeakMap(), folded: new WeakMap() } satisfies Record<
    Form,
    WeakMap<StrataMessage, PartSize[]>
  >;

  of(message: StrataMessage, form: Form): PartSize[] {
    const sizes = this.known[form].get(message) ?? message.parts.map(part => sizeOf(part, form));
    this.known[form].set(message, sizes);
    return sizes;
  }
}

function sizeOf(part: StrataMessage["parts"][number], form: Form): PartSize {
  if (part.type !== "dynamic-tool" || part.state !== "output-available") {
    return { staysWhole: true, rest: estimateTokens(JSON.stringify(part)), output: 0, folded: 0 };
  }
  const result = part.output as ToolOutput;
  const output = estimateTokens(result[outputForm(result, form)]);
  return {
    callId: part.toolCallId,
    staysWhole: toolTraits(part.toolName).staysWhole,
    rest: estimateTokens(JSON.stringify(inputOf(part, form))),
    output,
    folded: Math.min(output, estimateTokens(result.folded)),
  };
}
