/** Completion of mentions over the workspace's index. */
export interface MentionSearch {
  /**
   * @param query what stands after `@`, without quotes; "": what is open, recent and near
   * @returns the best first; `indexing`: the list of files is not whole yet. A workspace of no folder has none.
   */
  search(query: string, limit: number, signal: AbortSignal): Promise<{ items: FoundMention[]; indexing: boolean }>;
}

export interface FoundMention {
  kind: "file" | "folder";
  /** as writeMention gives it */
  mention: string;
  /** for people, with folder name where several roots */
  path: string;
  /** UTF-16 offsets in `path` of what matched */
  positions: number[];
  /** a folder of the workspace, `path` its name, where there are several: its mention goes on with what is in it */
  root?: true;
}
