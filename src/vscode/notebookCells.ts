/** Cells of a notebook editor as Jupyter stores them. */
import * as vscode from "vscode";
import type { EditorCell } from "../core/edits/notebook";
import { type Json, jsonSchema } from "../shared/messages";

const STDOUT = "application/vnd.code.notebook.stdout";
const STDERR = "application/vnd.code.notebook.stderr";
const ERROR = "application/vnd.code.notebook.error";

export function editorCells(notebook: vscode.NotebookDocument): EditorCell[] {
  return notebook.getCells().map(cell => {
    const { id, ...more } = jsonRecord(cell.metadata);
    const outputs = cell.outputs.flatMap(toOutputJson);
    return {
      type: cellType(cell),
      id: typeof id === "string" ? id : undefined,
      source: cell.document.getText(),
      more,
      outputs,
    };
  });
}

/** The same cell with another source: what else it has stays. */
export function withSource(cell: vscode.NotebookCell, source: string): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(cell.kind, source, cell.document.languageId);
  data.metadata = { ...cell.metadata };
  data.outputs = [...cell.outputs];
  if (cell.executionSummary) data.executionSummary = cell.executionSummary;
  return data;
}

function cellType({ kind, document }: vscode.NotebookCell): string {
  if (kind === vscode.NotebookCellKind.Markup) return "markdown";
  return document.languageId === "raw" ? "raw" : "code";
}

function toOutputJson({ items, metadata }: vscode.NotebookCellOutput): Json[] {
  const [first] = items;
  if (!first) return [];
  if (items.every(({ mime }) => mime === STDOUT || mime === STDERR)) {
    const text = items.map(itemText).join("");
    return [{ name: first.mime === STDERR ? "stderr" : "stdout", output_type: "stream", text: lines(text) }];
  }
  const facts = jsonRecord(metadata ?? {});
  if (first.mime === ERROR) return [facts.originalError ?? errorOutput(first)];
  const type = typeof facts.outputType === "string" ? facts.outputType : "display_data";
  return [
    {
      data: Object.fromEntries(items.map(item => [item.mime, mimeBundle(item)])),
      ...(type === "execute_result" && { execution_count: facts.executionCount ?? null }),
      metadata: facts.metadata ?? {},
      output_type: type,
    },
  ];
}

function errorOutput(item: vscode.NotebookCellOutputItem): Json {
  const { name, message, stack } = jsonRecord(parseData(itemText(item)));
  const traceback = typeof stack === "string" && stack !== "" ? stack.split("\n") : [];
  return { ename: name ?? "", evalue: message ?? "", output_type: "error", traceback };
}

function mimeBundle(item: vscode.NotebookCellOutputItem): Json {
  const { mime, data } = item;
  if (mime === "application/json" || mime.endsWith("+json")) return parseData(itemText(item));
  const isText = mime.startsWith("text/") || mime === "image/svg+xml" || mime === "application/javascript";
  return isText ? lines(itemText(item)) : Buffer.from(data).toString("base64");
}

const itemText = ({ data }: vscode.NotebookCellOutputItem) => new TextDecoder().decode(data);
const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What is no JSON stays a text. */
function parseData(text: string): Json {
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    return text;
  }
}

function jsonRecord(value: unknown): Record<string, Json> {
  const checked = jsonSchema.safeParse(value);
  return checked.success && typeof checked.data === "object" && checked.data !== null && !Array.isArray(checked.data)
    ? checked.data
    : {};
}
