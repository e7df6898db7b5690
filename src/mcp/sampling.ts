/** Which servers may ask the person's model, and which the person said no to. */
import { SaidNo, type SamplingRequest } from "../core/ground/ports";
import { KeyedQueue } from "../shared/async";
import { McpError } from "./config/variables";
import { isNamed } from "./tools/named";

export interface ServerSamplingDeps {
  /** `strata.mcp.sampling`, as it is now */
  names(): readonly string[];
  answer(request: SamplingRequest, signal: AbortSignal): Promise<{ text: string; model: string }>;
}

export class Sampling {
  /** Not asked about again until the person stops or starts them by hand. */
  private readonly saidNo = new Set<string>();
  private readonly queue = new KeyedQueue();

  /** @param deps absent: nobody answers; @param onNo the person said no to a server */
  constructor(
    private readonly deps: ServerSamplingDeps | undefined,
    private readonly onNo: () => void,
  ) {}

  isAllowed(server: string): boolean {
    return this.deps !== undefined && isNamed(this.deps.names(), server);
  }

  hasSaidNo(server: string): boolean {
    return this.saidNo.has(server);
  }

  /** The person stops or starts it by hand. */
  forgetNo(server: string): void {
    this.saidNo.delete(server);
  }

  /** What the person allowed is asked for anew each time. Rejects with SaidNo, with McpError, or as the answer does. */
  async answer(request: SamplingRequest, signal: AbortSignal): Promise<{ text: string; model: string }> {
    const { server } = request;
    return this.queue.run(server, () => this.ask(request, signal));
  }

  /** One after the other: a no counts for all that wait. */
  private async ask(request: SamplingRequest, signal: AbortSignal): Promise<{ text: string; model: string }> {
    const { server } = request;
    signal.throwIfAborted();
    if (!this.deps || !this.isAllowed(server)) throw new McpError("The user does not allow it any more.");
    if (this.hasSaidNo(server)) throw new SaidNo("The user said no, and is not asked again until they restart it.");
    try {
      return await this.deps.answer(request, signal);
    } catch (error) {
      if (error instanceof SaidNo) {
        this.saidNo.add(server);
        this.onNo();
      }
      throw error;
    }
  }
}
