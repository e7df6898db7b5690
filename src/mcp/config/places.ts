/** Where servers are configured. */
import { join } from "node:path";

export interface ConfigPlaces {
  /** the user's files: absolute paths, and how people know them */
  userFiles: readonly { path: string; shown: string }[];
  /** absolute; none in a workspace that is not trusted */
  folders: readonly string[];
}

/** Which file names a server, and whose file that is. */
export interface ConfigOrigin {
  /** absolute */
  file: string;
  /** for people: `.vscode/mcp.json` */
  shown: string;
  level: "user" | "workspace";
  /** the workspace's folder that the file lies in, or the first one: absolute; undefined: no folder is open */
  folder: string | undefined;
}

/** Of a workspace's folder, in the order in which they count. */
const WORKSPACE_FILES = [".vscode/mcp.json", ".mcp.json"];

/** The user's first, so that no workspace puts another server behind a name that the user's rules are about. */
export function configFiles({ userFiles, folders }: ConfigPlaces): ConfigOrigin[] {
  const [first] = folders;
  return [
    ...userFiles.map(({ path, shown }) => ({ file: path, shown, level: "user" as const, folder: first })),
    ...folders.flatMap(folder =>
      WORKSPACE_FILES.map(name => {
        const file = join(folder, name);
        return { file, shown: folders.length > 1 ? file : name, level: "workspace" as const, folder };
      }),
    ),
  ];
}
