/**
 * A language extension in memory, for files named `*.ts`: a word is a symbol, declared by the word before it (`function`,
 * `const`, `class`), and a function's body ends with the next line that is `}`. What a test wants to go wrong, goes wrong.
 */
import {
  type CodeAction,
  type CodeChange,
  CodeError,
  type CodeIntelligence,
  type CodeLocation,
  type CodePosition,
  type CodeQuestion,
  type CodeRange,
  type CodeSymbol,
  type FileRef,
} from "../../src/core/ground/ports";
import type { MemoryFiles } from "./files";

interface Word {
  ref: FileRef;
  name: string;
  range: CodeRange;
  /** it is declared here, as this */
  kind?: string;
}

export class FakeCode implements CodeIntelligence {
  /** Runs before each answer. */
  before: (() => void | Promise<void>) | undefined;
  /** files that were opened for extensions */
  readonly opened: string[] = [];
  /** What else a rename or an action changes. */
  more: CodeChange | undefined;
  /** Symbols of the workspace are listed only once a file is open. */
  cold = false;
  /** quick fixes beside that for `teh` */
  fixes: CodeAction[] = [];

  constructor(private readonly files: MemoryFiles) {}

  async locate(kind: CodeQuestion, ref: FileRef, at: CodePosition): Promise<CodeLocation[]> {
    await this.before?.();
    const name = (await this.at(ref, at))?.name;
    const named = (await this.words()).filter(word => word.name === name);
    if (kind === "implementations") return [];
    if (kind === "definition") return Promise.all(named.filter(word => word.kind).map(word => this.declaration(word)));
    if (kind === "references") return named.map(({ ref, range }) => ({ ref, range }));
    const calls = named.filter(word => !word.kind).map(async word => ({ word, around: await this.around(word) }));
    return (await Promise.all(calls)).flatMap(({ word, around }) =>
      around ? [{ ref: word.ref, range: word.range, name: around }] : [],
    );
  }

  async hover(ref: FileRef, at: CodePosition): Promise<string[]> {
    await this.before?.();
    const name = (await this.at(ref, at))?.name;
    const found = (await this.words()).find(word => word.name === name && word.kind);
    return found ? [`\`\`\`typescript\n${found.kind} ${found.name}\n\`\`\``] : [];
  }

  async outline(ref: FileRef): Promise<CodeSymbol[] | undefined> {
    await this.before?.();
    if (!ref.path.endsWith(".ts")) return undefined;
    const declared = (await this.wordsOf(ref)).filter(word => word.kind);
    if (declared.length === 0) return undefined;
    return Promise.all(
      declared.map(async word => {
        const { whole = word.range } = await this.declaration(word);
        return { name: word.name, kind: word.kind ?? "", containers: [], whole, range: word.range };
      }),
    );
  }

  async symbols(query: string): Promise<CodeLocation[]> {
    await this.before?.();
    if (this.cold && this.opened.length === 0) return [];
    const found = (await this.words()).filter(word => word.kind && word.name.includes(query));
    return found.map(({ ref, range, name, kind }) => ({ ref, range, name, ...(kind && { kind }) }));
  }

  async open(ref: FileRef): Promise<void> {
    this.opened.push(ref.path);
  }

  async rename(ref: FileRef, at: CodePosition, name: string): Promise<CodeChange> {
    await this.before?.();
    const word = await this.at(ref, at);
    if (!ref.path.endsWith(".ts")) return { files: [] };
    if (!word || KEYWORDS.has(word.name)) throw new CodeError("You cannot rename this element.");
    const named = (await this.words()).filter(each => each.name === word.name);
    return this.withMore(await this.change(named.map(each => ({ ...each, text: name }))));
  }

  async actions(ref: FileRef, range: CodeRange | undefined, kind: string): Promise<CodeAction[]> {
    await this.before?.();
    const words = (await this.wordsOf(ref)).filter(
      ({ range: { start } }) => !range || (start.line >= range.start.line && start.line <= range.end.line),
    );
    if (kind === "source.organizeImports") {
      const change = await this.change(
        words.filter(({ name }) => name === "unused").map(word => ({ ...word, text: "" })),
      );
      return [{ title: "Organize Imports", kind, change: this.withMore(change) }];
    }
    const wrong = words.filter(({ name }) => name === "teh").map(word => ({ ...word, text: "the" }));
    const fix = { title: "Change spelling to 'the'", kind: "quickfix.spelling", preferred: true as const };
    return [...(wrong.length > 0 ? [{ ...fix, change: this.withMore(await this.change(wrong)) }] : []), ...this.fixes];
  }

  private withMore(change: CodeChange): CodeChange {
    const { more } = this;
    return more ? { ...change, ...more, files: [...change.files, ...more.files] } : change;
  }

  private async change(edits: (Word & { text: string })[]): Promise<CodeChange> {
    const files = new Map<string, { ref: FileRef; text: string; edits: { range: CodeRange; text: string }[] }>();
    for (const { ref, range, text } of edits) {
      const file = files.get(ref.uri) ?? { ref, text: this.files.textOf(ref) ?? "", edits: [] };
      files.set(ref.uri, file);
      file.edits.push({ range, text });
    }
    return { files: [...files.values()] };
  }

  private async at(ref: FileRef, { line, column }: CodePosition): Promise<Word | undefined> {
    return (await this.wordsOf(ref)).find(
      ({ range: { start, end } }) => start.line === line && start.column <= column && column <= end.column,
    );
  }

  private async words(): Promise<Word[]> {
    return (await Promise.all(this.files.all().map(({ ref }) => this.wordsOf(ref)))).flat();
  }

  private async wordsOf(ref: FileRef): Promise<Word[]> {
    if (!ref.path.endsWith(".ts")) return [];
    return (this.files.textOf(ref) ?? "").split(/\r?\n/).flatMap((text, index) =>
      Array.from(text.matchAll(/(?:(function|const|class)\s+)?(\w+)/g), match => {
        const [all, declares, name = ""] = match;
        const column = match.index + all.length - name.length + 1;
        const line = index + 1;
        const range = { start: { line, column }, end: { line, column: column + name.length } };
        return { ref, name, range, ...(declares && { kind: declares === "const" ? "constant" : declares }) };
      }),
    );
  }

  private async declaration({ ref, range, kind }: Word): Promise<CodeLocation> {
    const lines = (this.files.textOf(ref) ?? "").split(/\r?\n/);
    const last = kind === "constant" ? -1 : lines.findIndex((text, at) => at >= range.start.line && text === "}");
    const end = last < 0 ? range.end : { line: last + 1, column: 2 };
    return { ref, range, whole: { start: { line: range.start.line, column: 1 }, end } };
  }

  /** the function in whose body it stands */
  private async around({ ref, range }: Word): Promise<string | undefined> {
    for (const word of await this.wordsOf(ref)) {
      if (word.kind !== "function") continue;
      const { whole } = await this.declaration(word);
      if (whole && whole.start.line < range.start.line && range.start.line <= whole.end.line) return word.name;
    }
    return undefined;
  }
}

const KEYWORDS = new Set(["function", "const", "class", "import", "export", "return", "from"]);
