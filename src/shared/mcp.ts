/** MCP servers as people see them: in the panel's view of them and in the terminal. */
import * as z from "zod";
import { act, ask } from "./panelRequest";

const toolViewSchema = z.object({
  /** `server:tool` */
  name: z.string(),
  description: z.string(),
  /** what its definition takes of a request */
  tokens: z.int(),
  off: z.boolean(),
});

/** What a server has, as it said last. */
const listsSchema = z.object({
  tools: z.array(toolViewSchema),
  prompts: z.array(z.object({ name: z.string(), description: z.string() })),
  resources: z.array(z.object({ name: z.string(), uri: z.string() })),
});
export type McpLists = z.infer<typeof listsSchema>;

const serverSchema = z.object({
  name: z.string(),
  /** of its exact command or address: what an agreement is bound to */
  hash: z.string(),
  /** the file that names it, for people; and where it lies: absolute, "" where no file names it */
  file: z.string(),
  path: z.string(),
  level: z.enum(["user", "workspace"]),
  /** its command or address, as the file has it */
  target: z.string(),
  /** names of what its environment has, or which headers are sent to it */
  environment: z.array(z.string()),
  /** `unasked`: the person did not agree to it yet. `signed-out`: it wants the person to sign in; `signing-in`: they are at it */
  state: z.enum(["off", "unasked", "idle", "starting", "signing-in", "running", "failed", "signed-out"]),
  /** why it failed, a sentence */
  error: z.string().optional(),
  /** what of its entry does nothing here: sentences; absent: nothing */
  notes: z.array(z.string()).optional(),
  /** what it says it is, and the protocol's revision: "everything 2.0.0, 2025-11-25" */
  identity: z.string().optional(),
  /** of a workspace's server, what the person has to agree to, exactly; absent: nothing, or they did */
  question: z.object({ reason: z.string(), detail: z.json() }).optional(),
  /** the person agreed to this workspace's server: that can be taken back */
  agreed: z.literal(true).optional(),
  /** during a sign-in, the address that the browser was sent to */
  signInAt: z.string().optional(),
  /** absent: there is no signing in, or it is not known */
  signedIn: z.boolean().optional(),
});

/** Absent lists: not known yet. */
export type McpServerView = z.infer<typeof serverSchema> & Partial<McpLists>;

/** A server's line; its lists are asked for when it is opened. */
const rowSchema = serverSchema.extend({
  /** of its tools that are on; absent: none looked yet */
  tools: z.object({ count: z.int(), tokens: z.int() }).optional(),
});
export type McpServerRow = z.infer<typeof rowSchema>;

/** An entry of a configuration that cannot be used, a sentence. */
export type McpProblem = string;

const actionSchema = z.enum(["start", "stop", "sign-in", "sign-out", "withdraw", "log", "configure"]);
export type ServerAction = z.infer<typeof actionSchema>;

const named = { name: z.string() };

/** Requests of the panel, beside those of panelProtocol.ts. What takes time runs behind an answer that comes at once. */
export const mcpRequests = {
  /** Reads what is configured now; starts nothing. */
  mcpServers: ask({}, z.object({ servers: z.array(rowSchema), problems: z.array(z.string()) })),
  /** what one has, descriptions cut; absent: none looked yet */
  mcpLists: ask(named, z.object({ lists: listsSchema.optional() })),
  /** `start` stops it first where it runs; `configure` opens the file that names it */
  mcpAct: act({ ...named, act: actionSchema }),
  /** Agrees to what was shown under this hash, and starts it. */
  mcpAgree: act({ ...named, hash: z.string() }),
  /** A server or a tool, on or off. */
  mcpSwitch: act({ ...named, on: z.boolean() }),
  /** Opens this workspace's mcp.json, made where there is none. */
  mcpConfigure: act({}),
} as const;
