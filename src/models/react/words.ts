/** What an answer says, in blocks that belong together, each without blank space around it. */
export interface ProsePiece {
  type: "text";
  block: number;
  text: string;
}

export class ProseWords {
  /** Something was said in this block. */
  isOpen = false;
  private block = 0;
  /** shown once something follows it */
  private space = "";

  add(text: string): ProsePiece | undefined {
    const begun = this.isOpen ? text : text.trimStart();
    const body = begun.trimEnd();
    if (body === "") {
      if (this.isOpen) this.space += begun;
      return undefined;
    }
    const said: ProsePiece = { type: "text", block: this.block, text: this.space + body };
    this.space = begun.slice(body.length);
    this.isOpen = true;
    return said;
  }

  /** What follows is another block. */
  close(): void {
    if (this.isOpen) this.block += 1;
    this.isOpen = false;
    this.space = "";
  }
}
