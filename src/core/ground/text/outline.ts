/** The line above that an indented line belongs to: the file over a linter's complaints, the suite over a test. */

export interface TextLine {
  /** 1-based number of the line in the output */
  line: number;
  text: string;
}

interface Level extends TextLine {
  indent: number;
}

/** Deeper than this nobody reads. */
const MAX_INDENT = 40;
const TAB = 4;
/** `12:5  error`, `88  Call to …`: a place in a file that is named once for all. */
const PLACE_IN_FILE = /^\s*\d+(?::\d+)?[\s|]/;
const FILE = /^\s*(?:\w+:?\s+)?[\w@.~:/\\-]*[/\\][\w@.-]+\.\w{1,6}:?\s*$/;
const MAX_PATH = 300;

export class Outline {
  /** Each is indented more than the one before. */
  private levels: Level[] = [];
  /** the newest line with nothing but a file's name, and perhaps a word for it */
  private file: TextLine | undefined;

  /** Takes every line but blank ones, in order; gives what it stands under. */
  add(line: TextLine): TextLine | undefined {
    const indent = indentOf(line.text);
    while ((this.levels.at(-1)?.indent ?? -1) >= indent) this.levels.pop();
    const heading = this.levels.at(-1);
    this.levels.push({ ...line, indent });
    if (this.file && PLACE_IN_FILE.test(line.text)) return this.file;
    if (isFile(line.text)) this.file = line;
    return heading;
  }
}

/** `12:5  error`: what is complained of in the file of its heading. */
export const isInFile = (text: string): boolean => PLACE_IN_FILE.test(text);

const isFile = (text: string) => text.length <= MAX_PATH && FILE.test(text);

function indentOf(text: string): number {
  let indent = 0;
  for (const character of text) {
    if (character === " ") indent += 1;
    else if (character === "\t") indent += TAB;
    else break;
    if (indent >= MAX_INDENT) break;
  }
  return indent;
}
