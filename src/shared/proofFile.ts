/** What `strata proof` writes (docs/proofs.md): hashes and numbers, and no text of the session unless that was asked for. */
import * as z from "zod";
import { approvalAnswerSchema } from "./approval";
import { ranCommandSchema } from "./runResult";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** As Git names a commit, in either of its formats. */
const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

const { decision, scope, seen } = approvalAnswerSchema.shape;
/** `seq`: number of the record that says it */
const factsSchema = z.strictObject({
  /** 0: none */
  lastEdit: z.int(),
  /** after the last edit; `command` is a sha256 here, `text` what it is of, with `--with-text` */
  commands: z.array(z.strictObject({ ...ranCommandSchema.shape, text: z.string().optional() })),
  /** of people, before calls ran; `binds`: sha256 over the bytes that they were asked about */
  decisions: z.array(
    z.strictObject({ seq: z.int(), callId: z.string(), tool: z.string(), decision, scope, seen, binds: z.string() }),
  ),
  /** that answered */
  models: z.array(z.string()),
});
export type ProofFacts = z.infer<typeof factsSchema>;

export const proofSchema = z.strictObject({
  kind: z.literal("strata-proof"),
  version: z.literal(1),
  /** version of Strata */
  app: z.string(),
  session: z.string(),
  base: commit,
  /** sha256 over the files that differ from `base`: a line "mode oid path" each, sorted by their bytes */
  changes: sha256,
  files: z.int(),
  /** of them, those that others changed after the session wrote them */
  touched: z.int(),
  /** sha256 of the patch's bytes, where one was named */
  patch: sha256.optional(),
  facts: factsSchema,
  /** "kind sha256" of each record of the log, from number 1 */
  records: z.array(z.string()),
  /** Those that worked for it, and for each other (`a/b`): how many records their logs have, and the chain of these. Absent: none did. */
  agents: z.array(z.strictObject({ id: z.string(), records: z.int(), head: sha256 })).optional(),
  /** over session, facts and records, each with all before it */
  head: sha256,
  /** sha256 of all of this with "" here, as JSON without spaces */
  seal: sha256,
});
export type ProofFile = z.infer<typeof proofSchema>;
