/**
 * `strata mcp serve`: Read, Grep and Glob of the workspace, and Recall of a session, for another agent. The same door as the
 * agent's own calls (`runTool`), in plan mode and with nobody who could be asked: what would ask is refused.
 */
import { version } from "../../package.json";
import { type RunToolDeps, runTool } from "../core/agent/runTool";
import { readLog } from "../core/history/readLog";
import { rulesInForce } from "../core/permissions/levels";
import { type BlobWriter, type SessionFiles, StorageError } from "../core/ports";
import { secretLearningFiles, secretLearningSearch } from "../core/secrets/secretLearning";
import { absentOutside } from "../core/toolkit/resolvePlaces";
import type { Tool } from "../core/toolkit/tool";
import { globTool } from "../core/tools/glob";
import { grepTool } from "../core/tools/grep";
import { readTool } from "../core/tools/read";
import { recallTool } from "../core/tools/recall";
import { type ServedTools, serve } from "../mcp/serve";
import { NodeFiles } from "../node/files";
import { createPatterns } from "../node/patterns";
import { packagedRipgrep, RipgrepSearch } from "../node/ripgrep";
import { configDir, spendingDir } from "../node/storage/sessionStorage";
import { nodeClock, nodeHash } from "../node/system";
import type { McpCommand } from "../terminal/args";
import { EXIT } from "../terminal/output";
import { withFiles } from "../terminal/sessions";
import { bothForms, buildRedactor, createLogger, readSettings, type SessionPlace } from "./place";

const INSTRUCTIONS =
  "Files of one workspace, read only. Secrets are replaced by placeholders; protected files are refused, since nobody can be asked here. There is no Diagnostics: no editor runs.";

/** Until the other side closes the stream. Rejects with StorageError where there is no such session. */
export async function withServe({ session, trust }: McpCommand, place: SessionPlace): Promise<number> {
  if (session === undefined) await serveTools(place, trust);
  else await withFiles(place.storage, session, files => serveTools(place, trust, files));
  return EXIT.done;
}

/** @param session what Recall looks through; absent: there is no Recall */
async function serveTools(place: SessionPlace, trusted: boolean, session?: SessionFiles): Promise<void> {
  const { workspace, storageDir } = place;
  const settings = readSettings(place, {}, trusted);
  const files = new NodeFiles([workspace]);
  const redactor = await buildRedactor(place, { files, logger: createLogger(storageDir) });
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir()]);
  const learning = secretLearningFiles(files, redactor);
  const ripgrep = new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots });
  const ports = {
    files: learning,
    clock: nodeClock,
    patterns: createPatterns(),
    search: secretLearningSearch(ripgrep, learning, redactor),
    blobs: keepsNothing,
  };
  const tools: Tool[] = [
    ...[readTool(ports), globTool(ports), grepTool(ports)],
    ...(session ? [recallTool({ log: await readLog(session, nodeHash) })] : []),
  ].map(tool => tool as Tool);
  const deps: RunToolDeps = {
    files,
    redactor,
    clock: nodeClock,
    hash: nodeHash,
    tools: new Map(tools.map(tool => [tool.name, tool])),
    conversation: { stamps: new Map(), reads: new Map(), asked: new Map(), turn: 0, step: 0, untrusted: undefined },
    policy: () => ({
      mode: "plan",
      trusted,
      ownFolders,
      rules: rulesInForce(settings),
      readable: [],
      grants: [],
      runEverything: false,
      trustsAllContent: false,
    }),
    approvals: { ask: async () => ({ answer: { decision: "deny", scope: "once", by: "nobody" } }) },
    questions: { ask: async () => ({ action: "cancel", by: "nobody" }) },
    whyAbsent: (ref, call) => absentOutside(ports, ref, call),
    inject: { injectSystemOnce: () => false },
    bringRules: async () => undefined,
    confinesAll: () => false,
    onStart: () => undefined,
    onOutput: () => undefined,
  };
  await redactor.refresh("workspace");
  await serve(process.stdin, line => process.stdout.write(line), {
    tools,
    version,
    instructions: INSTRUCTIONS,
    call: caller(deps),
  });
}

/** What is too long to be given at once is said to be: there is no session that could keep it. */
const keepsNothing = (): BlobWriter => {
  const refuse = async () => {
    throw new StorageError("IO", "nothing is kept here, so ask for less at once");
  };
  return { write: refuse, finish: refuse, discard: async () => undefined };
};

function caller(deps: RunToolDeps): ServedTools["call"] {
  let count = 0;
  return async (toolName, input, signal) => {
    count += 1;
    const call = {
      type: "dynamic-tool",
      state: "input-available",
      toolName,
      toolCallId: `call_${count}`,
      input,
    } as const;
    const { result, images = [] } = await runTool(call, deps, signal);
    return { text: result.text, isError: result.status === "error", images };
  };
}
