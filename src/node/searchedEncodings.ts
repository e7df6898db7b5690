/** Files that ripgrep would not read as we do: by what encodings it is to read them. */
import { open } from "node:fs/promises";
import { mapBounded } from "../shared/async";
import { decode } from "./encoding";
import type { KnownEncodings } from "./knownEncodings";

/** A file's encoding shows at its beginning, or nobody cares. In bytes. */
const HEAD = 256 * 1024;
const AT_ONCE = 8;
/** A command line has room for them. */
const MOST_AT_ONCE = 200;
/** Bytes without a meaning are letters of the West: so their ASCII is found. No encoding that is told has this very name. */
export const UNTOLD = "windows-1252";

/** Files by the name that ripgrep has for their encoding, at most some hundred together; binary files are left out. */
export async function byEncoding(files: readonly string[], absolute: (file: string) => string, known: KnownEncodings) {
  const look = (those: readonly string[]) =>
    mapBounded(those, AT_ONCE, async file => ({ file, encoding: await encodingAt(absolute(file), known) }));
  const first = await look(files);
  // What cannot be told by itself may be by the others.
  const [untold, told] = [first.filter(isUntold), first.filter(each => !isUntold(each))];
  const named = [...told, ...(await look(untold.map(({ file }) => file)))];
  const groups = Map.groupBy(named, ({ encoding }) => encoding);
  return [...groups].flatMap(([encoding, those]) => {
    const parts = Array.from({ length: encoding === undefined ? 0 : Math.ceil(those.length / MOST_AT_ONCE) });
    return parts.map((_, part) => ({
      encoding,
      files: those.slice(part * MOST_AT_ONCE, (part + 1) * MOST_AT_ONCE).map(({ file }) => file),
    }));
  });
}

const isUntold = ({ encoding }: { encoding: string | undefined }) => encoding === UNTOLD;

async function encodingAt(path: string, known: KnownEncodings): Promise<string | undefined> {
  const bytes = await head(path).catch(() => undefined);
  const decoded = bytes && (await decode(bytes, undefined, known.hint(path)));
  if (!decoded) return undefined;
  known.count(path, decoded);
  if (decoded.reading === "guessed") return decoded.encoding;
  return decoded.reading === undefined || decoded.reading === "damaged" ? "utf-8" : UNTOLD;
}

async function head(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const bytes = buffer.subarray(0, bytesRead);
    // To the end of a line: no character is cut.
    return bytesRead === HEAD ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
  } finally {
    await handle.close();
  }
}

const LABELS: Record<string, string> = {
  big5hkscs: "big5",
  cp866: "ibm866",
  cp950: "big5",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  gb2312: "gbk",
  iso88591: "windows-1252",
  koi8r: "koi8-r",
  koi8u: "koi8-u",
  macroman: "macintosh",
  shiftjis: "shift_jis",
};

/** ripgrep's name for what `files.encoding` says; undefined: it reads Unicode by itself, and some it does not know. */
export function engineEncoding(set: string | undefined): string | undefined {
  const name = set?.toLowerCase().replace(/[-_]/g, "") ?? "";
  const numbered = /^(windows|iso8859)(\d+)$/.exec(name);
  if (numbered) return LABELS[name] ?? `${numbered[1] === "windows" ? "windows" : "iso-8859"}-${numbered[2]}`;
  return LABELS[name] ?? (["gbk", "gb18030", "big5"].includes(name) ? name : undefined);
}
