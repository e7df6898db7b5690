/**
 * The images of a conversation as the model gets them: base64, loaded from their blobs before a request is assembled, so
 * that assembling itself stays a plain function.
 */
import type { StrataMessage } from "../../shared/messages";
import type { SessionFiles } from "../ports";
import { toBase64 } from "../text/base64";

export class Images {
  private readonly base64 = new Map<string, string>();

  constructor(private readonly files: Pick<SessionFiles, "getBlob">) {}

  async load(messages: readonly StrataMessage[]): Promise<void> {
    for (const { role, parts } of messages) {
      if (role !== "user") continue;
      for (const part of parts) if (part.type === "file") await this.loadOne(part.url);
    }
  }

  private async loadOne(url: string): Promise<void> {
    if (this.base64.has(url)) return;
    const bytes = await this.files.getBlob(url.slice("blob:".length));
    if (bytes) this.base64.set(url, toBase64(bytes));
  }

  /** undefined: the blob is gone */
  get = (url: string): string | undefined => this.base64.get(url);
}
