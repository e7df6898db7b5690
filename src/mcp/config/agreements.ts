/**
 * What the person agreed to, and what servers said they have, in the person's own folder: by a hash of the exact command or
 * address, so that whatever changes in a workspace's file is asked about anew, and nothing has to be started to know its tools.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { makePrivateFolder, replaceFile, writeCache } from "../../node/disk";
import { nodeFileSystem } from "../../node/fileSystem";
import { SerialQueue } from "../../shared/async";
import { t } from "../../shared/l10n";
import type { ServerConfig } from "./serverConfig";
import { plainVariables, usualInputs } from "./variables";

const agreedSchema = z.object({
  version: z.literal(1),
  /** by the server's hash */
  servers: z.record(
    z.string(),
    z.object({
      name: z.string(),
      agreed: z.boolean(),
      /** by a tool's name: the hash of what the server said of it when it was called last */
      tools: z.record(z.string(), z.string()),
    }),
  ),
});
type ServerAgreement = z.infer<typeof agreedSchema>;

const toolSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().default(""),
  inputSchema: z.json(),
  annotations: z.json().optional(),
});
export type ListedTool = z.infer<typeof toolSchema>;

const listSchema = z.object({
  version: z.literal(1),
  /** what it says it is */
  server: z.object({ name: z.string(), version: z.string() }).optional(),
  /** revision of the protocol that it speaks: "2025-11-25" */
  protocol: z.string().optional(),
  isLegacy: z.boolean(),
  /** ms since the epoch */
  at: z.number(),
  tools: z.array(toolSchema),
  /** what of it could not be used, in words; absent: all could */
  odd: z.array(z.string()).optional(),
  prompts: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      arguments: z
        .array(z.object({ name: z.string(), description: z.string().optional(), required: z.boolean().optional() }))
        .optional(),
    }),
  ),
  resources: z.array(
    z.object({
      uri: z.string(),
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ),
  templates: z.array(z.object({ uriTemplate: z.string(), name: z.string(), description: z.string().optional() })),
});
/** What a server has, as it said last. */
export type ServerList = z.infer<typeof listSchema>;

/** But for when they were said. */
export const sameList = (a: ServerList, b: ServerList | undefined): boolean =>
  b !== undefined && JSON.stringify({ ...a, at: 0 }) === JSON.stringify({ ...b, at: 0 });

/** Of the exact command or address with its environment's texts, inputs and scripts, and of the workspace whose file names it. */
export function configHash(config: ServerConfig, envFile: string, scripts: readonly string[] = []): string {
  const { name, origin, launch } = config;
  const { folder, level } = origin;
  const usual = usualInputs(config);
  const plain = JSON.parse(JSON.stringify(launch), (_, value: unknown) =>
    typeof value === "string" ? plainVariables(value, folder) : value,
  );
  const place = level === "workspace" ? folder : "";
  const more = [
    ...(config.isConfined ? ["confined"] : []),
    ...(Object.keys(usual).length > 0 ? [usual] : []),
    ...(scripts.length > 0 ? [scripts] : []),
  ];
  return sha256(JSON.stringify([level, place, name, plain, envFile, ...more]));
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Memory counts until it is loaded again; each change is made to what stands on disk, and written at once. */
export class Agreements {
  private agreed: ServerAgreement = { version: 1, servers: {} };
  private readonly agreedForNow = new Set<string>();
  private readonly lists = new Map<string, ServerList | undefined>();
  private readonly writes = new SerialQueue();
  /** Memory has what could not be written. */
  private unwritten = false;

  /** @param folder absolute; made where something is to be kept */
  constructor(
    private readonly folder: string,
    private readonly warn: (text: string) => void,
  ) {}

  /** What stands there now: another window may have asked. */
  load(): Promise<void> {
    return this.writes.run(async () => {
      if (!this.unwritten) await this.read();
    });
  }

  agreeForNow(hashes: readonly string[]): void {
    for (const hash of hashes) this.agreedForNow.add(hash);
  }

  hasAgreed(hash: string): boolean {
    return this.agreedForNow.has(hash) || (this.agreed.servers[hash]?.agreed ?? false);
  }

  agree(hash: string, name: string): Promise<void> {
    return this.change(hash, name, entry => ({ ...entry, agreed: true }));
  }

  withdraw(hash: string, name: string): Promise<void> {
    return this.change(hash, name, entry => ({ ...entry, agreed: false }));
  }

  /** undefined: it was never called */
  calledAs(hash: string, tool: string): string | undefined {
    const tools = this.agreed.servers[hash]?.tools ?? {};
    return Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  }

  async rememberCall(hash: string, name: string, tool: string, toolHash: string): Promise<void> {
    if (this.calledAs(hash, tool) === toolHash) return;
    await this.change(hash, name, entry => ({ ...entry, tools: { ...entry.tools, [tool]: toolHash } }));
  }

  /** What the server had when it was asked last; undefined: it never was. */
  async list(hash: string): Promise<ServerList | undefined> {
    if (!this.lists.has(hash)) this.lists.set(hash, await this.readList(hash));
    return this.lists.get(hash);
  }

  async keepList(hash: string, list: ServerList): Promise<void> {
    this.lists.set(hash, list);
    await this.write(async () => {
      await makePrivateFolder(join(this.folder, "lists"));
      await writeCache(nodeFileSystem, this.listPath(hash), JSON.stringify(list));
    });
  }

  private listPath = (hash: string) => join(this.folder, "lists", `${hash}.json`);

  private async readList(hash: string): Promise<ServerList | undefined> {
    const text = await readFile(this.listPath(hash), "utf8").catch(() => undefined);
    const parsed = text === undefined ? undefined : listSchema.safeParse(parsedJson(text));
    return parsed?.success ? parsed.data : undefined;
  }

  private async read(): Promise<void> {
    const text = await readFile(join(this.folder, "agreed.json"), "utf8").catch(() => undefined);
    if (text === undefined) return;
    const parsed = agreedSchema.safeParse(parsedJson(text));
    if (parsed.success) this.agreed = parsed.data;
    else
      this.warn(
        t("{0} cannot be read, so Strata asks again which servers may start.", join(this.folder, "agreed.json")),
      );
  }

  private async change(
    hash: string,
    name: string,
    made: (entry: ServerAgreement["servers"][string]) => ServerAgreement["servers"][string],
  ): Promise<void> {
    const changed = (agreed: ServerAgreement): ServerAgreement => {
      const entry = agreed.servers[hash] ?? { name, agreed: false, tools: {} };
      return { ...agreed, servers: { ...agreed.servers, [hash]: made(entry) } };
    };
    this.agreed = changed(this.agreed);
    await this.write(async () => {
      // What another window changed meanwhile stays: a yes that was taken back there is none.
      if (!this.unwritten) await this.read();
      this.agreed = changed(this.agreed);
      this.unwritten = true;
      await makePrivateFolder(this.folder);
      await replaceFile(nodeFileSystem, join(this.folder, "agreed.json"), JSON.stringify(this.agreed));
      this.unwritten = false;
    });
  }

  /** What cannot be kept is asked again another time. */
  private write(work: () => Promise<void>): Promise<void> {
    return this.writes.run(work).catch(error => this.warn(t("{0} cannot be written: {1}", this.folder, String(error))));
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
