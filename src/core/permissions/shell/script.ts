/**
 * A command, as the shell's grammar reads it: every simple command in it, wherever it stands (lists, pipelines, subshells,
 * substitutions, functions, heredocs), with the folder that it runs in. Nothing is decided here.
 */

import {
  type Command,
  forEachChild,
  type HereDocBody,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { locale, t } from "../../../shared/l10n";
import { joinPath } from "../../../shared/paths";
import { changesWhatRuns, mayHoldSecret, readWord, type ShellWord, type Variables } from "./words";

/** Folders in which a command may run: several after a `cd` that may have failed; undefined: not known. Absolute, '/'. */
export type Folders = readonly string[] | undefined;

export interface SimpleCommand {
  /** the program first; empty: only assignments or redirections */
  words: readonly ShellWord[];
  folders: Folders;
  /** files that are opened for it */
  redirects: readonly { target: ShellWord; writes: boolean }[];
  /** It is started with arguments that are not here: those of `xargs`. */
  openEnded?: boolean;
  /** texts that it may read from its standard input */
  given?: readonly string[];
}

export interface ShellScript {
  commands: SimpleCommand[];
  /** Why it cannot be told what runs, or that it is changed; each a part of a sentence. */
  problems: string[];
  /** There is more of it than is read. */
  isCut: boolean;
  /** Shells may take it otherwise than it was read here: what it starts may be anything. */
  isUnclear: boolean;
  /** wherever they stand; `value` as written, undefined where it is a list */
  assignments: { name: string; value: string | undefined }[];
  ending: ScriptEnding;
}

/** What its shell leaves. */
export interface ScriptEnding {
  /** it sends something behind with `&` */
  sendsBehind: boolean;
  /** the last command that the shell itself runs, as written; undefined: a pipeline, a subshell or the like */
  last: string | undefined;
}

/** A command of more parts is asked about, and not read on. */
const MAX_COMMANDS = 300;
/** characters */
const MAX_LENGTH = 100_000;
/** within each other */
const MAX_SUBSTITUTIONS = 100;

/** @param cwd absolute, '/' separators; undefined: not known */
export function readScript(text: string, cwd: Folders, variables?: Variables): ShellScript {
  if (text.length > MAX_LENGTH) {
    const problem = t("is longer than {0} characters", MAX_LENGTH.toLocaleString(locale()));
    const ending = { sendsBehind: false, last: undefined };
    return { commands: [], problems: [problem], isCut: true, isUnclear: true, assignments: [], ending };
  }
  const reader = new ScriptReader(variables);
  reader.read(text, cwd);
  const { commands, problems, assignments, ending } = reader;
  const isCut = commands.length > MAX_COMMANDS;
  if (isCut) problems.push(t("has more than {0} parts", MAX_COMMANDS));
  return {
    commands,
    problems: [...new Set(problems)],
    isCut,
    isUnclear: isCut || reader.isUnclear,
    assignments,
    ending,
  };
}

const controls = /(?![\t\n\r\0])\p{Cc}/u;
/** Also letters and marks that no font shows, and blanks that are none to the shell. */
const invisible =
  /[^\P{Cf}\u200c\u200d]|[^\P{Z} ]|\u034f|[\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180d]|\u2800|\u3164|\uffa0/u;

const sameFolders = (a: Folders, b: Folders) => a === b || (a?.join("\0") === b?.join("\0") && a !== undefined);

function either(a: Folders, b: Folders): Folders {
  if (a === undefined || b === undefined) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > 4 ? undefined : all;
}

/** Shells do not agree on where the substitution ends then. */
const holdsComment = ({ parts }: HereDocBody) =>
  parts?.some(({ type, text }) => type === "CommandExpansion" && text.includes("#")) ?? false;

function printed({ words: [program, ...words] }: SimpleCommand): string[] {
  return /^(?:echo|printf)$/.test(program?.value ?? "")
    ? [words.map(({ value, text }) => value ?? text).join(" ")]
    : [];
}

function lastOf({ commands }: ParsedScript): Command | undefined {
  const { command, background } = commands.at(-1) ?? {};
  const end = command?.type === "AndOr" ? command.commands.at(-1) : command;
  const alone = end?.type === "Pipeline" && end.commands.length === 1 ? end.commands[0] : end;
  return alone?.type === "Command" && !background ? alone : undefined;
}

class ScriptReader {
  readonly commands: SimpleCommand[] = [];
  readonly problems: string[] = [];
  readonly assignments: ShellScript["assignments"] = [];
  readonly ending: ScriptEnding = { sendsBehind: false, last: undefined };
  isUnclear = false;
  #folders: Folders;
  /** what positions in the tree count in */
  #source = "";
  #depth = 0;

  constructor(private readonly variables: Variables | undefined) {}

  #unclear(problem: string): void {
    this.isUnclear = true;
    this.problems.push(problem);
  }

  read(text: string, cwd: Folders): void {
    this.#folders = cwd;
    this.#source = text;
    // A shell takes neither as its grammar says: NUL ends or vanishes, CR is part of a word that nobody sees.
    if (/[\0\r]/.test(text)) this.#unclear(t("holds a character that ends lines unseen"));
    if (controls.test(text)) this.#unclear(t("holds control characters"));
    if (invisible.test(text)) this.#unclear(t("holds invisible characters"));
    const script = parse(text);
    this.#script(script);
    const last = lastOf(script);
    this.ending.last = last && text.slice(last.pos, last.end);
  }

  /** @param node parsed when its script is asked for */
  #substitution(node: { readonly script: ParsedScript | undefined }): void {
    if (this.#depth >= MAX_SUBSTITUTIONS) {
      this.#unclear(t("has a part that cannot be read"));
      return;
    }
    this.#depth += 1;
    this.#inSubshell(() => this.#script(node.script));
    this.#depth -= 1;
  }

  #script(script: ParsedScript | undefined): void {
    if (script === undefined) this.#unclear(t("has a part that cannot be read"));
    else {
      if (script.errors?.length) this.#unclear(t("is not a command that a shell would take as it stands"));
      const before = this.#source;
      this.#source = script.source ?? before;
      this.#walk(script);
      this.#source = before;
    }
  }

  /** Between its words and after them stands nothing that the grammar passed over. */
  #isWhole(node: Command): boolean {
    let at = node.pos;
    for (const { pos, end } of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
      if (pos > at && !/^(?:[ \t]|\\\n)*$/.test(this.#source.slice(at, pos))) return false;
      at = end;
    }
    return /^(?:[ \t]|\\\n)*(?:$|[;&|)\n#`}])/.test(this.#source.slice(at, at + 200));
  }

  /** Its changes of the folder stay its own. */
  #inSubshell(walk: () => void) {
    const before = this.#folders;
    walk();
    this.#folders = before;
  }

  /** Whether it runs, or how often, is not known. */
  #perhaps(walk: () => void) {
    const before = this.#folders;
    walk();
    if (!sameFolders(before, this.#folders)) this.#folders = undefined;
  }

  /** Of a loop, whatever comes round again stands in the folder where the last round ended. */
  #loop(node: SyntaxNode) {
    const { commands } = this;
    const before = this.#folders;
    const start = commands.length;
    this.#children(node);
    if (sameFolders(before, this.#folders)) return;
    commands.length = start;
    this.#folders = undefined;
    this.#children(node);
  }

  #children(node: SyntaxNode) {
    forEachChild(node, child => this.#walk(child));
  }

  #walk(node: SyntaxNode) {
    if (this.commands.length > MAX_COMMANDS) return;
    switch (node.type) {
      case "Command":
        this.#command(node);
        break;
      case "Script":
      case "Subshell":
        this.#inSubshell(() => this.#children(node));
        break;
      case "Statement":
        this.#statement(node);
        break;
      case "Pipeline":
        // `! cd x` and `time cd x` are no pipelines of their own: they leave the shell where it went.
        if (node.commands.length === 1) this.#children(node);
        else this.#pipeline(node.commands);
        break;
      case "AndOr":
        this.#andOr(node);
        break;
      case "If":
      case "Case":
        this.#perhaps(() => this.#children(node));
        break;
      case "For":
      case "ArithmeticFor":
      case "Select":
      case "While":
        this.#inspect(node);
        this.#loop(node);
        break;
      case "CompoundList":
      case "BraceGroup":
      case "Elif":
      case "CaseItem":
        this.#children(node);
        break;
      case "Redirected":
        this.#redirected(node);
        break;
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        this.#substitution(node);
        break;
      default:
        this.#inspect(node);
        this.#inSubshell(() => this.#children(node));
    }
  }

  /** What one of them prints or is given may come to all of them. */
  #pipeline(nodes: readonly SyntaxNode[]) {
    const start = this.commands.length;
    for (const node of nodes) this.#inSubshell(() => this.#walk(node));
    const given = this.commands.slice(start).flatMap(command => [...(command.given ?? []), ...printed(command)]);
    for (let at = start; given.length > 0 && at < this.commands.length; at++)
      this.commands[at] = { ...(this.commands[at] as SimpleCommand), given };
  }

  /** What makes it unknown what runs, besides programs. */
  #inspect(node: SyntaxNode) {
    const { problems } = this;
    if (node.type === "Function") problems.push(t("defines {0}, which may stand for another command", node.name.text));
    if (node.type === "Assignment") {
      this.#assigns(node);
      const elements = node.value.type === "ArrayValue" ? node.value.elements : [];
      if (elements.some(({ text }) => /^\[(?!\d+\])/.test(text))) problems.push(t("computes an index"));
      this.assignments.push({ name: node.name, value: node.value.type === "Word" ? node.value.text : undefined });
    }
    if (node.type === "For" || node.type === "Select") this.#assigns({ name: node.name.text, index: undefined });
    if (node.type === "Coproc" && node.name !== undefined) this.#assigns({ name: node.name.text, index: undefined });
    if (node.type === "ArithmeticFor") problems.push(t("computes with variables"));
    // Arithmetic evaluates the values of its variables: `a[$(…)]` in one of them runs.
    const computed =
      node.type === "ArithmeticCommand" ? node.body : node.type === "ArithmeticExpansion" ? node.text : "";
    if (/[A-Za-z_[`]|\$[\d@*-]/.test(computed)) problems.push(t("computes with variables"));
    if (node.type === "TestBinary" && /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
      problems.push(t("computes with variables"));
    if (node.type === "TestUnary" && /^-[vR]$/.test(node.operator)) problems.push(t("computes an index"));
    if (node.type === "ParameterExpansion") this.#parameter(node);
    if (node.type === "ParameterExpansion") this.#shows(node.parameter);
    if (node.type === "SimpleExpansion") this.#shows(node.text.slice(1));
  }

  #parameter({ prefix, operation, parameter, index }: Extract<SyntaxNode, { type: "ParameterExpansion" }>) {
    if (prefix === "!" || operation?.type === "Transform") this.problems.push(t("expands a text twice"));
    if (operation?.type === "Default" && /=/.test(operation.operator))
      this.#assigns({ name: parameter, index: undefined });
    if (index !== undefined && !/^(?:\d+|@|\*)$/.test(index.text)) this.problems.push(t("computes an index"));
    if (operation?.type === "Slice" && /[A-Za-z_[$`]/.test(operation.offset.text + (operation.length?.text ?? "")))
      this.problems.push(t("computes with variables"));
  }

  /** Turned round or cut up, nobody would know it again in what comes out. */
  #shows(variable: string) {
    if (mayHoldSecret(variable)) this.problems.push(t("shows {0}, which may hold a secret", `$${variable}`));
  }

  #assigns(assignment: Parameters<typeof changesWhatRuns>[0]) {
    const problem = changesWhatRuns(assignment);
    if (problem) this.problems.push(problem);
  }

  /** What comes after it runs also where its `cd` failed. */
  #statement(node: Extract<SyntaxNode, { type: "Statement" }>) {
    if (node.background) {
      this.ending.sendsBehind = true;
      this.#inSubshell(() => this.#children(node));
      return;
    }
    const before = this.#folders;
    this.#children(node);
    this.#folders = either(before, this.#folders);
  }

  /** After `a && b` it may be where either left it. What follows `&&` runs only after what succeeded. */
  #andOr(node: Extract<SyntaxNode, { type: "AndOr" }>) {
    let seen = this.#folders;
    for (const [at, command] of node.commands.entries()) {
      if (node.operators[at - 1] === "||") this.#folders = seen;
      this.#walk(command);
      seen = either(seen, this.#folders);
    }
    this.#folders = seen;
  }

  #redirected(node: Extract<SyntaxNode, { type: "Redirected" }>) {
    const redirects = node.redirects.flatMap(redirect => this.#redirect(redirect));
    if (redirects.length > 0) this.commands.push({ words: [], folders: this.#folders, redirects });
    for (const redirect of node.redirects) this.#children(redirect);
    this.#walk(node.command);
  }

  #command(node: Command) {
    if (!this.#isWhole(node)) this.#unclear(t("has a part that cannot be read"));
    if (node.redirects.filter(({ type }) => type === "HereDoc").length > 1)
      this.#unclear(t("holds several texts (<<)"));
    if (node.name && /\\\n/.test(node.name.text)) this.#unclear(t("breaks a program's name over lines"));
    const words: ShellWord[] = [];
    if (node.name) words.push(this.#word(node.name));
    for (const arg of node.args)
      words.push(arg.type === "Word" ? this.#word(arg) : { text: arg.text, value: undefined });
    const redirects = node.redirects.flatMap(redirect => this.#redirect(redirect));
    const given = node.redirects.flatMap(redirect => this.#given(redirect));
    this.commands.push({ words, folders: this.#folders, redirects, ...(given.length > 0 && { given }) });
    this.#children(node);
    if (words[0]?.value === "cd") this.#cd(words.slice(1));
    // Each may leave the shell in another folder, without being `cd`.
    else if (["pushd", "popd", "builtin", "command", "eval", "source", "."].includes(words[0]?.value ?? "")) {
      if (words[0]?.value !== "command" || words[1]?.value === "cd") this.#folders = undefined;
    }
  }

  #word(word: Parameters<typeof readWord>[0]): ShellWord {
    const [cwd, ...others] = this.#folders ?? [];
    return readWord(word, { cwd: others.length > 0 ? undefined : cwd, variables: this.variables });
  }

  #given(redirect: Redirection): string[] {
    if (redirect.type === "HereDoc") return [redirect.body.text];
    if (redirect.type !== "HereString" || redirect.target === undefined) return [];
    return [this.#word(redirect.target).value ?? redirect.target.text];
  }

  #redirect(redirect: Redirection): { target: ShellWord; writes: boolean }[] {
    if (redirect.type === "HereDoc" && holdsComment(redirect.body))
      this.#unclear(t("holds a comment within a substitution within a text (<<)"));
    if (
      redirect.type === "HereDoc" &&
      (redirect.closing === undefined || /[\n`$]/.test(redirect.delimiter?.text ?? "\n"))
    )
      this.#unclear(t("holds a text (<<) that does not end"));
    if (redirect.descriptor?.type === "FileDescriptorVariable")
      this.#assigns({ name: redirect.descriptor.name, index: undefined });
    if (redirect.type !== "Redirect" || redirect.target === undefined) return [];
    const target = this.#word(redirect.target);
    const { operator } = redirect;
    const copies = operator === ">&" || operator === "<&";
    if (copies && /^(?:\d+-?|-)$/.test(target.value ?? "")) return [];
    if (target.value !== undefined && /^\/dev\/(?:null|stdout|stderr|stdin)$/.test(target.value)) return [];
    return [{ target, writes: operator !== "<" && operator !== "<&" }];
  }

  #cd(args: ShellWord[]): void {
    const [first, ...more] = args.filter(({ value }) => value !== "--" && value !== "-L");
    const to = first?.value;
    const before = this.#folders;
    if (first === undefined || more.length > 0 || to === undefined || to.startsWith("-") || first.isGlob)
      this.#folders = undefined;
    else this.#folders = before?.map(folder => joinPath(folder, to));
  }
}
