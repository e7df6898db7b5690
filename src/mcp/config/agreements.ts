/** What the person agreed to, by a hash of the exact launch, and what servers said they have, so that none has to be started for its list. In the person's own folder. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Prompt, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client";
import * as z from "zod";
import { makePrivateFolder, writeCache } from "../../node/disk";
import { nodeFileSystem } from "../../node/fileSystem";
import { JsonFile } from "../../node/jsonFile";
import { isObject, parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import type { Json } from "../../shared/messages";
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
type AgreedServer = ServerAgreement["servers"][string];

export type ListedTool = Pick<Tool, "name" | "title"> & { description: string; inputSchema: Json; annotations?: Json };

/** What a server has, as it said last. */
export interface ServerList {
  version: 1;
  server?: { name: string; version: string };
  /** revision of the protocol that it speaks: "2025-11-25" */
  protocol?: string;
  isLegacy: boolean;
  /** ms since the epoch */
  at: number;
  tools: ListedTool[];
  /** entries that could not be used, in words; absent: none */
  odd?: string[];
  prompts: Prompt[];
  resources: Resource[];
  templates: ResourceTemplateType[];
}

/** But for when they were said. */
export const sameList = (a: ServerList, b: ServerList | undefined): boolean =>
  b !== undefined && JSON.stringify({ ...a, at: 0 }) === JSON.stringify({ ...b, at: 0 });

/** Of the exact command or address with its environment's texts, inputs and files, and of the workspace whose file names it. */
export function configHash(config: ServerConfig): string {
  const { name, origin, launch, isConfined, envFile, scripts = [] } = config;
  const { folder, level } = origin;
  const usual = usualInputs(config);
  const plain = JSON.parse(JSON.stringify(launch), (_, value: unknown) =>
    typeof value === "string" ? plainVariables(value, folder) : value,
  );
  const place = level === "workspace" ? folder : "";
  const more = [
    ...(isConfined ? ["confined"] : []),
    ...(Object.keys(usual).length > 0 ? [usual] : []),
    ...(scripts.length > 0 ? [scripts] : []),
  ];
  return sha256(JSON.stringify([level, place, name, plain, envFile?.text ?? "", ...more]));
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export class Agreements {
  private readonly file: JsonFile<ServerAgreement>;
  /** as it was on disk when it was read or changed last */
  private agreed: ServerAgreement = { version: 1, servers: {} };
  /** Of this process and not on disk, since it holds for it alone or could not be written: answers by hash, calls by hash and tool. */
  private readonly here = new Map<string, boolean | string>();

  /** @param folder absolute; made where something is to be kept */
  constructor(
    private readonly folder: string,
    private readonly warn: (text: string) => void,
  ) {
    this.file = new JsonFile(join(folder, "agreed.json"), agreedSchema, this.agreed, path =>
      warn(t("{0} cannot be read, so Strata asks again which servers may start.", path)),
    );
  }

  /** Another window may have asked meanwhile. */
  async load(): Promise<void> {
    this.agreed = await this.file.read().catch(() => this.agreed);
  }

  agreeForNow(hashes: readonly string[]): void {
    for (const hash of hashes) this.here.set(hash, true);
  }

  hasAgreed = (hash: string): boolean => (this.here.get(hash) ?? this.agreed.servers[hash]?.agreed) === true;

  /** @param agreed false: the person takes their yes back */
  decide(hash: string, name: string, agreed: boolean): Promise<void> {
    return this.keep(hash, agreed, hash, entry => ({ ...entry, name: entry.name || name, agreed }));
  }

  /** undefined: it was never called */
  calledAs(hash: string, tool: string): string | undefined {
    const tools = this.agreed.servers[hash]?.tools ?? {};
    const here = this.here.get(`${hash} ${tool}`) ?? (Object.hasOwn(tools, tool) ? tools[tool] : undefined);
    return here === undefined ? undefined : String(here);
  }

  async rememberCall(hash: string, name: string, tool: string, toolHash: string): Promise<void> {
    const key = `${hash} ${tool}`;
    if (!this.here.has(key) && this.calledAs(hash, tool) === toolHash) return;
    await this.keep(key, toolHash, hash, entry => ({
      ...{ ...entry, name: entry.name || name, tools: { ...entry.tools, [tool]: toolHash } },
    }));
  }

  /** Counts at once, and for this process alone where it cannot be written. */
  private async keep(key: string, value: boolean | string, hash: string, made: (entry: AgreedServer) => AgreedServer) {
    this.here.set(key, value);
    try {
      this.agreed = await this.file.change(now => {
        const entry = now.servers[hash] ?? { name: "", agreed: false, tools: {} };
        return { ...now, servers: { ...now.servers, [hash]: made(entry) } };
      });
      // It may have another value by now.
      if (this.here.get(key) === value) this.here.delete(key);
    } catch (error) {
      this.unwritten(error);
    }
  }

  /** What the server had when it was asked last; undefined: it never was. */
  async list(hash: string): Promise<ServerList | undefined> {
    const list = parseJson(await readFile(this.listPath(hash), "utf8").catch(() => ""));
    // Written whole by Strata alone: a look through every schema of every tool would hold up each start.
    return isObject(list) && list.version === 1 ? (list as unknown as ServerList) : undefined;
  }

  async keepList(hash: string, list: ServerList): Promise<void> {
    try {
      await makePrivateFolder(join(this.folder, "lists"));
      await writeCache(nodeFileSystem, this.listPath(hash), JSON.stringify(list));
    } catch (error) {
      this.unwritten(error);
    }
  }

  private listPath = (hash: string) => join(this.folder, "lists", `${hash}.json`);

  private unwritten(error: unknown): void {
    this.warn(t("{0} cannot be written: {1}", this.folder, String(error)));
  }
}
