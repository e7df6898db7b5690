/**
 * The bodies of requests made again and held against the hash that was taken as they left. It is done where the same form can be had:
 * the manifest names it, and whoever makes bodies here knows it. Reads only.
 */
import { t } from "../../shared/l10n";
import type { Manifest, Segment } from "../../shared/manifest";
import { type RequestContent, requestContent } from "../context/compose";
import type { Defect, RequestEntry } from "../context/requestChain";
import { type Evidence, messagePlaces } from "./evidence";

/** The sha256 of a request's body in the form that the manifest names; undefined: it cannot be made here. Sends nothing. */
export type BodyAsSent = (manifest: Manifest, content: RequestContent) => Promise<string | undefined>;

export class BodyChecker {
  /** bodies that are those that left */
  same = 0;
  private readonly values = new Map<string, unknown>();

  constructor(
    private readonly evidence: Evidence,
    private readonly bodyAsSent: BodyAsSent,
  ) {}

  /** @param entry of a request that is there as it was sent. Rejects with StorageError. */
  async check({ number, manifest, segments }: RequestEntry): Promise<Defect[]> {
    if (!manifest?.bodyForm || !manifest.bodySha256 || !segments) return [];
    const content = requestContent(await this.valuesOf(segments), manifest);
    const found = await this.bodyAsSent(manifest, content);
    if (found === undefined) return [];
    if (found === manifest.bodySha256) {
      this.same++;
      return [];
    }
    const text = t("the body that left is not the one of this request");
    const { requestId, bodySha256: expected } = manifest;
    return [{ kind: "body", request: number, requestId, expected, found, text }];
  }

  private async valuesOf(segments: readonly Segment[]): Promise<(Segment & { value: unknown })[]> {
    const places = messagePlaces(segments);
    const all: (Segment & { value: unknown })[] = [];
    for (const [at, segment] of segments.entries()) {
      const key = `${segment.sha256} ${segment.form}`;
      if (!this.values.has(key)) {
        const found = await this.evidence.find(segment, places[at]);
        this.values.set(key, "content" in found ? JSON.parse(found.content) : null);
      }
      all.push({ ...segment, value: this.values.get(key) });
    }
    return all;
  }
}
