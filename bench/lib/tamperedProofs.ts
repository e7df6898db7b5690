/** A change with its proof in a real repository, and the same proof after somebody had their way with it. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealProof } from "../../src/core/proof/proofFile";
import { GitState } from "../../src/node/shell/gitState";
import type { ProofFile } from "../../src/shared/proofFile";
import { Interrupts } from "../../src/terminal/interrupts";
import { checkProof, writeProof } from "../../src/terminal/proof";
import { exportToFile } from "../../src/terminal/transfer";
import { edit, read, runTurn, start } from "../../test/fakes/agent";
import { git } from "../../test/fakes/git";
import { hash } from "../../test/fakes/hash";
import { Random } from "../../test/fakes/random";
import { hiding } from "../../test/fakes/redact";
import { printed } from "../../test/terminal/printed";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const how = { redact: hiding(text => text), app: "1" };
const here = { workspace: ".", json: false };

/** A session that edits and checks twice, and a repository with two commits of which the second is the change. */
export class ProvenChange {
  readonly proof: string;
  readonly log: string;
  readonly patch: string;
  id = "";

  private constructor(
    readonly ws: string,
    private readonly place: Parameters<typeof writeProof>[1],
  ) {
    [this.proof, this.log, this.patch] = [`${ws}.proof.json`, `${ws}.strata.jsonl`, `${ws}.patch`];
  }

  /** @param folder empty; the repository is in `ws` below it @param before what happens in the session before it ends */
  static async begin(folder: string, before?: (agent: Awaited<ReturnType<typeof start>>) => Promise<unknown>) {
    const ws = join(folder, "ws");
    execFileSync("git", ["init", "-q", ws]);
    const repository = await GitState.around(ws, new AbortController().signal);
    if (!repository) throw new Error("no repository");
    const agent = await start({ mode: "auto", shell: { "*": { output: [["stdout", "ok\n"]] } } });
    const { session, models, ports } = agent;
    models.play(
      { calls: [read("src/a.ts"), bash("npm run early")] },
      { calls: [edit("src/a.ts", "one", "two")] },
      { calls: [bash("npm test")] },
      { calls: [bash("npm run lint")] },
      { text: "Done." },
    );
    await runTurn(session, "go");
    await before?.(agent);
    await session.close();
    const made = new ProvenChange(ws, { storage: ports.storage, streams: printed().streams, repository });
    made.id = session.id;
    await made.commits();
    return made;
  }

  git(...args: string[]): string {
    return git(this.ws, ...args);
  }

  private async commits(): Promise<void> {
    writeFileSync(join(this.ws, "a.txt"), "one\r\n");
    writeFileSync(join(this.ws, "old.txt"), "long enough to be found as a rename\n");
    this.git("add", "-A");
    this.git("commit", "-qm", "one");
    writeFileSync(join(this.ws, "a.txt"), "two\r\n");
    writeFileSync(join(this.ws, "文 字.bin"), Buffer.from([0, 255, 1]), { mode: 0o755 });
    this.git("mv", "old.txt", "new.txt");
    const asked = { ...here, kind: "proof" as const, session: this.id, file: this.proof, withText: true, force: true };
    await writeProof(asked, this.place, how);
    this.git("add", "-A");
    writeFileSync(this.patch, this.git("diff", "--cached", "--binary", "HEAD"));
    this.git("commit", "-qm", "two");
    const exporting = { ...here, kind: "export" as const, session: this.id, file: this.log, force: true };
    const interrupts = new Interrupts({ err: () => undefined, quit: () => undefined });
    await exportToFile(exporting, { storage: this.place.storage, interrupts, streams: printed().streams }, how);
  }

  get text(): string {
    return readFileSync(this.proof, "utf8");
  }

  /** Whether it is taken, and what is said of it. @param clone another one of the repository */
  async check(proof: string | Buffer, more: { patch?: string; log?: string } = {}, clone = this.ws) {
    const file = `${this.ws}.tried.json`;
    writeFileSync(file, proof);
    const { texts, streams } = printed();
    const repository = await GitState.around(clone, new AbortController().signal);
    if (!repository) throw new Error(`${clone} is no repository`);
    const asked = { ...here, kind: "proofCheck" as const, file, ...more };
    try {
      const code = await checkProof(asked, { streams, repository });
      return { taken: code === 0, said: texts.out };
    } catch (error) {
      return { taken: false, said: String(error) };
    }
  }
}

/** A proof whose file is whole again: only what it says is not what was so. */
const resealed = (proof: ProofFile): string => {
  const open = { ...proof, seal: "" };
  return `${JSON.stringify({ ...open, seal: hash.sha256(JSON.stringify(open)) }, null, 1)}\n`;
};

type Facts = ProofFile["facts"];
const withFacts = (proof: ProofFile, facts: Partial<Facts>) => ({ ...proof, facts: { ...proof.facts, ...facts } });
const first = (facts: Facts, change: object) =>
  facts.commands.map((ran, at) => (at === 0 ? { ...ran, ...change } : ran));

/** By name: what is done to it. */
const tamperings: Readonly<Record<string, (proof: ProofFile, random: Random, text: string) => string | Buffer>> = {
  "a byte": (_, random, text) => {
    const bytes = Buffer.from(text);
    const at = random.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ random.int(1, 255);
    return bytes;
  },
  "its end": (_, random, text) => text.slice(0, random.int(0, text.length - 1)),
  "commands swapped": proof => {
    const [a, b] = proof.facts.commands;
    if (!a || !b) return "";
    return resealed(
      withFacts(proof, {
        commands: [
          { ...b, seq: a.seq },
          { ...a, seq: b.seq },
        ],
      }),
    );
  },
  "a command before the edit": (proof, random) =>
    resealed(withFacts(proof, { commands: first(proof.facts, { seq: random.int(1, proof.facts.lastEdit) }) })),
  "before the edit, chained anew": (proof, random) =>
    sealProof(withFacts(proof, { commands: first(proof.facts, { seq: random.int(1, proof.facts.lastEdit) }) }), hash)
      .text,
  "another exit code": (proof, random) =>
    resealed(withFacts(proof, { commands: first(proof.facts, { exit: random.int(1, 9) }) })),
  "another output": (proof, random) =>
    resealed(withFacts(proof, { commands: first(proof.facts, { output: hash.sha256(String(random.next())) }) })),
  "another text, chained anew": (proof, random) =>
    sealProof(withFacts(proof, { commands: first(proof.facts, { text: `npm test ${random.next()}` }) }), hash).text,
  "the edit earlier": (proof, random) =>
    resealed(withFacts(proof, { lastEdit: random.int(0, proof.facts.lastEdit - 1) })),
  "a record left out": (proof, random) =>
    resealed({ ...proof, records: proof.records.toSpliced(random.int(0, proof.records.length - 1), 1) }),
  "records swapped": (proof, random) => {
    const at = random.int(0, proof.records.length - 2);
    const [one = "", other = ""] = proof.records.slice(at);
    return resealed({ ...proof, records: proof.records.toSpliced(at, 2, other, one) });
  },
  "another change": (proof, random) => resealed({ ...proof, changes: hash.sha256(String(random.next())) }),
  "another base": (proof, random) => resealed({ ...proof, base: hash.sha256(String(random.next())).slice(0, 40) }),
};

/** With the export beside it, a whole chain that was made up is found out too. */
const lies: Readonly<Record<string, (proof: ProofFile, random: Random) => string>> = {
  "exit code, chained anew": (proof, random) =>
    sealProof(withFacts(proof, { commands: first(proof.facts, { exit: random.int(1, 9) }) }), hash).text,
  "a record left out, chained anew": (proof, random) =>
    sealProof({ ...proof, records: proof.records.toSpliced(random.int(0, proof.records.length - 1), 1) }, hash).text,
  "the edit earlier, chained anew": (proof, random) =>
    sealProof(withFacts(proof, { lastEdit: random.int(0, proof.facts.lastEdit - 1) }), hash).text,
};

/** Names of those of `count` tampered proofs that were taken; the names of what was done come in turn. */
export async function takenTampered(change: ProvenChange, count: number, seed: number): Promise<string[]> {
  const { text, log } = change;
  const proof: ProofFile = JSON.parse(text);
  const random = new Random(seed);
  const taken: string[] = [];
  const all = [...Object.keys(tamperings), ...Object.keys(lies), "another patch"];
  for (let at = 0; at < count; at++) {
    const name = all[at % all.length] ?? "";
    const patch = join(change.ws, "..", "other.patch");
    if (name === "another patch")
      writeFileSync(patch, readFileSync(change.patch, "utf8").replace("+two", `+${random.next()}`));
    const tried = tamperings[name]?.(proof, random, text) ?? lies[name]?.(proof, random) ?? text;
    const more = name === "another patch" ? { patch } : name in lies ? { log } : {};
    if ((await change.check(tried, more)).taken) taken.push(name);
  }
  return taken;
}
