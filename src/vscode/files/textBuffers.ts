/** Text files as the editor has them: unsaved text before what is stored, edits through the document where it can hold the file. */
import * as vscode from "vscode";
import { lineEndsAfter } from "../../core/changes/edits/textEdits";
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  FileError,
  type FileRef,
  type Hash,
  type StorageForm,
  type TextFile,
  type TogetherOutcome,
} from "../../core/ground/ports";
import { tooLarge, withEdits } from "../../core/ground/ports/files";
import { defined } from "../../shared/defined";
import { isAscii } from "../../shared/glob";
import { catchesUp, type DocumentEdit, editDocuments, keepsLineEnds, withEol } from "../editor/documentEdits";
import { isUnsaved, type OpenDocuments } from "../editor/documents";
import { editorsEncoding, encodedText, requireHolds } from "../editor/encodings";
import { saveDocument } from "../editor/saving";
import { withTimeout } from "../platform/async";
import { asMissing, outcome, type StoredFiles } from "./storedFiles";

export interface BufferDeps {
  /** the workspace's files on disk */
  stored(): StoredFiles;
  documents: OpenDocuments;
  hash: Hash;
  /** `strata.edits.save` */
  saveEdits(): boolean;
  /**
   * ms that the editor gets to open a file, 10 s where nothing is said. It may hang at one (a file system that does, a dialog that
   * nobody sees), and with it all further edits of that file.
   */
  openMs?: number;
}
const OPEN_MS = 10_000;

/** Encodings that files are written back in without the editor's help, as are those that come with their bytes. */
const OWN_ENCODINGS = new Set(["utf8", "utf8bom", "utf16le", "utf16be"]);

export class TextBuffers {
  constructor(private readonly deps: BufferDeps) {}

  async readUnsaved(document: vscode.TextDocument, ref: FileRef, maxBytes: number): Promise<TextFile> {
    const { version, encoding } = document;
    const text = document.getText();
    const bytes = await encodedText(text, encoding);
    if (bytes.length > maxBytes) throw tooLarge(ref, bytes.length, maxBytes);
    const mtime = await this.mtimeOf(document, ref);
    const stamp = { mtime, version, sha256: this.deps.hash.sha256(bytes), dirty: true };
    return { kind: "text", text, encoding, stamp, from: "editor" };
  }

  /** What is stored, decoded as the editor does: its name for the encoding stays its own. */
  async readStored(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const file = await this.deps.stored().read(ref, maxBytes);
    if (file.kind === "binary" || (file.encoding !== "utf8" && !file.bytes)) return file;
    const uri = this.deps.documents.uriOf(ref);
    const shown = (await this.deps.documents.of(ref))?.encoding;
    const encoding = shown ?? editorsEncoding(uri) ?? "utf8";
    if (file.encoding === "utf8" && (encoding === "utf8" || isAscii(file.text))) return file;
    const { bytes = new TextEncoder().encode(file.text), reading: _, ...plain } = file;
    // Without a name: by the settings for the file, or guessed where they say so.
    const { decode } = vscode.workspace;
    const text = await (shown === undefined ? decode(bytes, { uri }) : decode(bytes, { encoding: shown }));
    // Characters that could not be decoded would be lost: the other reading keeps each byte.
    if (text.includes("\uFFFD") || text === file.text) return file;
    return { ...plain, text, encoding: shown ?? "as the editor reads it" };
  }

  async swap(change: ApplyEdits, base: string): Promise<ApplyOutcome> {
    return this.make(await this.stage(change, base));
  }

  /** Each as `swap` does, but what is edited in the editor in one step, with one undo; "stale" before anything was changed. */
  async swapTogether(changes: readonly { change: ApplyEdits; base: string }[]): Promise<TogetherOutcome> {
    const staged: StagedEdit[] = [];
    for (const { change, base } of changes) {
      const one = await this.stage(change, base);
      if (one === "stale") return { kind: "stale" };
      staged.push(one);
    }
    const parts = staged.flatMap(one => ("document" in one && keepsLineEnds(one) ? [one] : []));
    for (const { change, document } of parts) await requireHolds(change.edits, document.encoding, change.ref.path);
    const edited = parts.length > 0 ? await editDocuments(parts) : [];
    if (!edited) return { kind: "stale" };
    const made = new Map<StagedEdit, TogetherFile>();
    // All at once: the editor gives a tab to what is unsaved for a moment.
    const settle = async (part: StagedDocumentEdit, index: number) => {
      const its = edited[index];
      if (its) made.set(part, await orFailed(() => this.settle(part, its)));
    };
    await Promise.all(parts.map(settle));
    for (const one of staged.filter(each => !made.has(each))) {
      if (made.size > 0) made.set(one, await orFailed(() => this.make(one)));
      else {
        const first = await this.make(one);
        if (first.kind === "stale") return first;
        made.set(one, first);
      }
    }
    return { kind: "applied", files: staged.flatMap(one => made.get(one) ?? []) };
  }

  /** Looks at what stands, and says how the change is made on that; nothing is changed yet. */
  private async stage(change: ApplyEdits, base: string): Promise<StagedEdit | "stale"> {
    const { ref } = change;
    const { documents } = this.deps;
    const document = await documents.of(ref);
    if (document && isUnsaved(document)) return this.stageUnsaved(change, base, document);
    const uri = document?.uri ?? documents.uriOf(ref);
    // A link was put in its way since: what the editor saved would be another file.
    if (!(await this.deps.stored().leadsTo(ref, uri.fsPath))) return "stale";
    const file = await this.readStored(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    if (!file) return "stale";
    if (file.kind === "text" && file.stamp.sha256 !== base) return "stale";
    if (file.kind === "binary") return { apply: () => this.deps.stored().apply(change, nobodyTyped(document)) };
    const opened = document ?? (await this.open(uri));
    const version = opened && (await catchesUp(opened, file.text, document !== undefined));
    // A person typed since: from then on that text counts.
    if (opened && isUnsaved(opened)) return this.stageUnsaved(change, base, opened);
    // What the editor would not keep as it is (mixed line ends), or has not noticed yet, is changed where it is stored.
    const isMixed = lineEndsAfter(file.text, change.edits) === "mixed";
    if (!opened || version === undefined || isMixed)
      return { apply: () => this.swapStored(change, base, file, opened) };
    await this.requireSameBytes(file, opened.encoding, ref);
    return { change, document: opened, version, save: this.deps.saveEdits() ? file : undefined };
  }

  /** undefined: the editor cannot open it (too large for it, or not text by its rules), or does not do so in time */
  private async open(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
    const { openMs = OPEN_MS } = this.deps;
    // Where it fails, what stores the file does it, or says why not.
    const opened = await withTimeout(() => vscode.workspace.openTextDocument(uri), openMs).catch(() => undefined);
    return opened === "late" ? undefined : opened;
  }

  /** The user's own unsaved text stays unsaved, and the edit with it: saving is theirs. */
  private async stageUnsaved(change: ApplyEdits, base: string, document: vscode.TextDocument) {
    const { version } = document;
    const sha256 = this.deps.hash.sha256(await encodedText(document.getText(), document.encoding));
    return sha256 === base ? { change, document, version, save: undefined } : "stale";
  }

  private async make(staged: StagedEdit | "stale"): Promise<ApplyOutcome> {
    if (staged === "stale") return { kind: "stale" };
    return "apply" in staged ? staged.apply() : this.edit(staged);
  }

  /** A new file, in the encoding that the user's settings have for it: the editor would read it in no other. */
  async create(change: ApplyEdits): Promise<ApplyOutcome> {
    const { ref, edits, as } = change;
    const encoding = editorsEncoding(this.deps.documents.uriOf(ref)) ?? "utf8";
    if (encoding === "utf8" || (as && !(await this.wasIn(encoding, as)))) return this.deps.stored().apply(change);
    await requireHolds(edits, encoding, ref.path);
    const text = withEdits("", edits);
    return outcome(text, await this.deps.stored().replace(ref, null, await encodedText(text, encoding)));
  }

  /** Only the editor can write it so. */
  private async wasIn(encoding: string, { text, sha256 }: StorageForm): Promise<boolean> {
    return !OWN_ENCODINGS.has(encoding) && this.deps.hash.sha256(await encodedText(text, encoding)) === sha256;
  }

  async swapUnsaved(change: ApplyEdits, base: string, document: vscode.TextDocument): Promise<ApplyOutcome> {
    return this.make(await this.stageUnsaved(change, base, document));
  }

  private async edit(staged: StagedDocumentEdit): Promise<ApplyOutcome> {
    const { ref, edits } = staged.change;
    await requireHolds(edits, staged.document.encoding, ref.path);
    const [edited] = (await editDocuments([staged])) ?? [];
    return edited ? this.settle(staged, edited) : { kind: "stale" };
  }

  /** What becomes of an edit that the document has. */
  private async settle(
    { change: { ref }, document, save }: StagedDocumentEdit,
    edited: DocumentEdit,
  ): Promise<ApplyOutcome> {
    await this.requireTaken(document, edited, ref);
    const ended = save ? await this.save(document, edited, ref, save) : unsaved(edited);
    if (ended === "stale") return { kind: "stale" };
    const { saved, text, why } = ended;
    const sha256 = this.deps.hash.sha256(await encodedText(text, document.encoding));
    const mtime = await this.mtimeOf(document, ref);
    const stamp = { mtime, version: document.version, sha256, dirty: isUnsaved(document) };
    return { kind: "applied", stamp, text, saved, ...defined({ unsaved: why }) };
  }

  /**
   * A read-only document takes edits and stays clean: what it shows is then neither stored nor lost text. Such an edit is
   * taken back.
   */
  private async requireTaken(document: vscode.TextDocument, edited: DocumentEdit, ref: FileRef): Promise<void> {
    if (edited.taken || edited.typed || document.isUntitled || (await this.holds(ref, edited.text))) return;
    if (isUnsaved(document)) return;
    await edited.takeBack();
    throw new FileError("READ_ONLY", `${ref.path} was not changed: it is read-only in the editor.`);
  }

  /** "stale": another program changed the file while participants of the save were at work, and that stands now. */
  private async save(document: vscode.TextDocument, edited: DocumentEdit, ref: FileRef, stored: TextFile) {
    if (edited.typed) return unsaved(edited, TYPED);
    // The editor itself would notice only where the size changed too.
    if (!(await this.isUnchanged(ref, stored))) return unsaved(edited, NEWER);
    if (document.getText() !== edited.text) return unsaved(edited, TYPED);
    const newer = () => this.unnoticed(document, ref, stored);
    const { typed, yielded, ...ended } = await saveDocument(document, { newer });
    if (yielded) return "stale";
    const text = typed ? edited.text : document.getText();
    if (ended.saved) return { ...ended, text };
    if (!isUnsaved(document) && (await this.holds(ref, document.getText()))) return { saved: true, text };
    return (await this.isUnchanged(ref, stored)) ? { ...ended, text } : { ...ended, text, why: NEWER };
  }

  private async isUnchanged(ref: FileRef, { stamp }: TextFile): Promise<boolean> {
    const stat = await this.deps.stored().stat(ref);
    // The two are told in different precision.
    if (stat && Math.abs(stat.mtime - stamp.mtime) < 0.01) return true;
    const now = await this.deps.stored().read(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    return now?.stamp.sha256 === stamp.sha256;
  }

  /** What stands on disk since, where VS Code does not notice it; undefined too where the document cannot hold it. */
  private async unnoticed(document: vscode.TextDocument, ref: FileRef, before: TextFile): Promise<string | undefined> {
    if (await this.isUnchanged(ref, before)) return undefined;
    const stat = await this.deps.stored().stat(ref);
    const { length } = await encodedText(before.text, document.encoding);
    // These it does notice, and it says so.
    if (!stat || (stat.size !== length && Math.floor(stat.mtime) > Math.floor(before.stamp.mtime))) return undefined;
    const now = await this.readStored(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    if (now?.kind !== "text" || withEol(now.text, document.eol) !== now.text) return undefined;
    const written = this.deps.hash.sha256(await encodedText(now.text, document.encoding));
    return written === now.stamp.sha256 ? now.text : undefined;
  }

  private async holds(ref: FileRef, text: string): Promise<boolean> {
    const file = await this.readStored(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    return file?.kind === "text" && file.text === text;
  }

  private async swapStored(
    change: ApplyEdits,
    base: string,
    file: TextFile,
    document: vscode.TextDocument | undefined,
  ): Promise<ApplyOutcome> {
    const { ref, edits } = change;
    const mayWrite = nobodyTyped(document);
    if (OWN_ENCODINGS.has(file.encoding) || file.bytes) return this.deps.stored().apply(change, mayWrite);
    // Edits are of the text as the editor decoded it: only the editor can write it back.
    const name = document?.encoding ?? editorsEncoding(this.deps.documents.uriOf(ref)) ?? "utf8";
    await this.requireSameBytes(file, name, ref);
    await requireHolds(edits, name, ref.path);
    const text = withEdits(file.text, edits);
    return outcome(text, await this.deps.stored().replace(ref, base, await encodedText(text, name), mayWrite));
  }

  /** Bytes that nobody edited stay what they are: else the file is not written in that encoding. */
  private async requireSameBytes(file: TextFile, encoding: string, ref: FileRef): Promise<void> {
    if (file.encoding === encoding) return;
    const sha256 = this.deps.hash.sha256(await encodedText(file.text, encoding));
    if (sha256 === file.stamp.sha256) return;
    throw new FileError(
      "IO",
      `${ref.path} was not changed: it would not stay the same elsewhere when it is written as ${encoding}. Ask the user to open it with its right encoding.`,
    );
  }

  private async mtimeOf(document: vscode.TextDocument, ref: FileRef): Promise<number> {
    return document.isUntitled ? 0 : ((await this.deps.stored().stat(ref))?.mtime ?? 0);
  }
}

/** Whoever types while a file is changed where it is stored would have to choose between the two later on. */
const nobodyTyped = (document: vscode.TextDocument | undefined) => () => !document || !isUnsaved(document);

/** A change that is made in a document. `save`: what is stored, where the edit is to be saved */
interface StagedDocumentEdit {
  change: ApplyEdits;
  document: vscode.TextDocument;
  version: number;
  save: TextFile | undefined;
}

/** How a change is made: in a document, or where the file is stored. */
type StagedEdit = StagedDocumentEdit | { apply(): Promise<ApplyOutcome> };

type TogetherFile = Extract<TogetherOutcome, { kind: "applied" }>["files"][number];

/** Others are made: of one that is not, it is told. */
async function orFailed(make: () => Promise<ApplyOutcome>): Promise<TogetherFile> {
  try {
    const made = await make();
    return made.kind === "stale" ? { kind: "failed", why: REPLACED } : made;
  } catch (error) {
    if (error instanceof FileError) return { kind: "failed", why: error.message };
    throw error;
  }
}

const REPLACED = "another program wrote into it at the same moment, and that stands now. Read it, then Edit it.";

/** What became of an edit: `text` is the edit's alone, what a formatter made of it included; `why`: it was to be saved. */
type BufferResult = { saved: boolean; text: string; why?: string };

const unsaved = ({ text }: DocumentEdit, why?: string): BufferResult => ({ saved: false, text, ...defined({ why }) });

export const TYPED = "the user typed into it at the same moment, and saving that is theirs";
const NEWER =
  "the file changed on disk at the same moment. The edit stands unsaved in the editor, where the user can compare";
