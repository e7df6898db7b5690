/**
 * How programs are asked for their version and their help, where that reads nothing of the workspace. Not here: those that run
 * something of the workspace even then (yarn and pnpm take themselves from it, cargo and rustc their toolchain, mvn its settings).
 */
const forms: Record<string, string> = {
  "--version":
    "node npm npx bun deno tsc python python3 ruby perl php gcc g++ cc c++ clang clang++ make cmake ninja docker rg fd jq git gh helm terraform aws psql java javac kotlinc uv curl wget tar zip sed awk gawk grep find ls cat sort go sqlite3 gdb ld as tree less shellcheck clang-format zig rsync ssh-keygen",
  "--help":
    "node npm npx bun deno tsc python python3 ruby perl gcc g++ clang make cmake ninja docker rg fd jq git gh helm terraform java javac uv curl wget tar sed grep find ls cat sort tree rsync",
  "-v": "node npm npx tsc docker make perl php gcc g++ clang",
  "-V": "python python3 curl wget make rg jq ssh zip",
  "-h": "node npm python python3 php perl ruby rg fd jq docker make",
  "-version": "java javac kotlinc sqlite3",
  version: "go docker helm terraform",
  help: "go git docker helm terraform gh",
};

const programs = new Map(Object.entries(forms).map(([form, names]) => [form, new Set(names.split(" "))]));

export const asksVersion = (program: string, word: string | undefined): boolean =>
  word !== undefined && (programs.get(word)?.has(program) ?? false);
