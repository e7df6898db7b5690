/**
 * A language whose extension knows where words stand: `def load` declares one, each other place refers to it. In files `*.word` of
 * every folder that it is told of, and in documents that were never saved.
 */
import * as vscode from "vscode";

const WORD = /[a-z]\w*/g;
const DECLARED = /^def ([a-z]\w*)/;

/** @param all the files that the extension has read, those of other folders too */
export function registerWords(all: () => readonly vscode.Uri[]): vscode.Disposable {
  const selector: vscode.DocumentSelector = [{ pattern: "**/*.word" }, { scheme: "untitled" }];
  const { languages } = vscode;
  /** Of all files and the document that is asked about; one that cannot be opened has none. */
  const places = async (document: vscode.TextDocument, at: vscode.Position) => {
    const word = wordAt(document, at);
    const documents = await opened(all());
    if (documents.every(({ uri }) => uri.toString() !== document.uri.toString())) documents.push(document);
    return documents.flatMap(each => rangesOf(each, word).map(range => new vscode.Location(each.uri, range)));
  };
  return vscode.Disposable.from(
    languages.registerReferenceProvider(selector, { provideReferences: places }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, at) => declarations(await opened(all()), wordAt(document, at)),
    }),
    languages.registerHoverProvider(selector, {
      provideHover: (document, at) => new vscode.Hover(`The word ${wordAt(document, at)}`),
    }),
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: document =>
        declaredIn(document).map(
          ({ name, range }) => new vscode.DocumentSymbol(name, "", vscode.SymbolKind.Function, range, range),
        ),
    }),
    languages.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query) {
        const found = (await opened(all())).flatMap(document =>
          declaredIn(document).map(({ name, range }) => {
            const location = new vscode.Location(document.uri, range);
            return new vscode.SymbolInformation(name, vscode.SymbolKind.Function, "", location);
          }),
        );
        return found.filter(({ name }) => name.includes(query));
      },
    }),
    languages.registerRenameProvider(selector, {
      async provideRenameEdits(document, at, name) {
        const edit = new vscode.WorkspaceEdit();
        for (const { uri, range } of await places(document, at)) edit.replace(uri, range, name);
        return edit;
      },
    }),
    languages.registerCodeActionsProvider(selector, {
      provideCodeActions(document) {
        const action = new vscode.CodeAction("Write a greeting", vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.insert(document.uri, new vscode.Position(0, 0), "hello\n");
        return [action];
      },
    }),
  );
}

async function opened(uris: readonly vscode.Uri[]): Promise<vscode.TextDocument[]> {
  const documents = uris.map(uri => vscode.workspace.openTextDocument(uri).then(found => [found], nothing));
  return (await Promise.all(documents)).flat();
}
const nothing = (): vscode.TextDocument[] => [];

function wordAt(document: vscode.TextDocument, at: vscode.Position): string {
  return document.getText(document.getWordRangeAtPosition(at));
}

function rangesOf(document: vscode.TextDocument, word: string): vscode.Range[] {
  const found = [...document.getText().matchAll(WORD)].filter(([text]) => text === word);
  return found.map(
    ({ index }) => new vscode.Range(document.positionAt(index), document.positionAt(index + word.length)),
  );
}

function declaredIn(document: vscode.TextDocument): { name: string; range: vscode.Range }[] {
  return document
    .getText()
    .split("\n")
    .flatMap((line, at) => {
      const [, name] = DECLARED.exec(line) ?? [];
      return name === undefined ? [] : [{ name, range: new vscode.Range(at, 4, at, 4 + name.length) }];
    });
}

const declarations = (documents: readonly vscode.TextDocument[], word: string): vscode.Location[] =>
  documents.flatMap(document =>
    declaredIn(document)
      .filter(({ name }) => name === word)
      .map(({ range }) => new vscode.Location(document.uri, range)),
  );
