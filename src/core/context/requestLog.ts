/**
 * `requests.jsonl`: a manifest for each model request, and a blob for each segment that stands nowhere in the history log
 * (prompts, tools, rules, tail). Both are synced before the request leaves (CONTEXT.md, section 6).
 */
import { type Manifest, manifestSchema, type Segment } from "../../shared/manifest";
import type { Hash, SessionFiles } from "../ports";
import type { AssembledRequest } from "./assemble";
import { buildManifest, type ManifestMeta, type PreviousRequest, spliceSegments } from "./manifest";

export class RequestLog {
  private previous: PreviousRequest | undefined;
  private loaded = false;
  private readonly stored = new Set<string>();
  /** the history log was mended when the session was opened: the next break has its cause */
  private repaired: boolean;
  private readonly onRepair: (text: string) => Promise<void>;

  constructor(
    private readonly files: SessionFiles,
    private readonly hash: Hash,
    options: {
      repaired: boolean;
      /** The last line was cut off, or lines could not be read: told to the person. */
      onRepair(text: string): Promise<void>;
    },
  ) {
    this.repaired = options.repaired;
    this.onRepair = options.onRepair;
  }

  /** Another window wrote meanwhile: what was last is read anew. */
  forget(): void {
    this.loaded = false;
    this.previous = undefined;
  }

  /** Writes the manifest of a request that is about to leave. Rejects with StorageError. */
  async write(request: AssembledRequest, meta: Omit<ManifestMeta, "repaired">): Promise<Manifest> {
    if (!this.loaded) await this.load();
    const fresh = request.segments.filter(segment => !inHistory(segment) && !this.stored.has(segment.sha256));
    await Promise.all(fresh.map(({ sha256, content }) => this.files.putBlob(sha256, content)));
    for (const { sha256 } of fresh) this.stored.add(sha256);
    const manifest = buildManifest(request, { ...meta, repaired: this.repaired }, this.previous, this.hash);
    await this.files.append("requests.jsonl", `${JSON.stringify(manifest)}\n`);
    this.remember(manifest);
    this.repaired = false;
    return manifest;
  }

  private remember(manifest: Manifest): void {
    this.previous = {
      model: manifest.model,
      ...(manifest.purpose ? { purpose: manifest.purpose } : {}),
      segments: spliceSegments(this.previous?.segments ?? [], manifest),
      self: manifest.self,
      sinceWhole: sinceWhole(this.previous, manifest),
    };
  }

  /** Takes up where an earlier process stopped: reads back to the last whole manifest, cuts a torn last line. */
  private async load(): Promise<void> {
    const text = (await this.files.read("requests.jsonl")) ?? "";
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) {
      await this.files.truncate("requests.jsonl", new TextEncoder().encode(text.slice(0, end)).length);
      this.repaired = true;
      await this.onRepair(
        "The last line of this session's request log was cut off, probably by a crash. It was removed.",
      );
    }
    const manifests = lastManifests(text.slice(0, end));
    if (end > 0 && manifests.length === 0) {
      await this.onRepair("Lines of this session's request log cannot be read, so older requests may not be provable.");
    }
    for (const manifest of manifests) this.remember(manifest);
    this.loaded = true;
  }
}

function sinceWhole(
  previous: PreviousRequest | undefined,
  { keep, changed = [], segments }: Manifest,
): PreviousRequest["sinceWhole"] {
  if (keep === 0 || !previous) return { manifests: 0, segments: 0 };
  const { manifests, segments: written } = previous.sinceWhole;
  return { manifests: manifests + 1, segments: written + changed.length + segments.length };
}

/** Messages and results are rebuilt from their records. */
export function inHistory(segment: Pick<Segment, "source">): boolean {
  return segment.source.startsWith("message:") || segment.source.startsWith("result:");
}

/** From the last whole manifest on; none where a line on the way cannot be read (the next one is written whole). */
function lastManifests(text: string): Manifest[] {
  const manifests: Manifest[] = [];
  let end = text.length - 1;
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const manifest = parseManifest(text.slice(start, end));
    if (!manifest) return [];
    manifests.unshift(manifest);
    if (manifest.keep === 0) return manifests;
    end = start - 1;
  }
  return [];
}

function parseManifest(line: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
