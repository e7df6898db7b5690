/** Files by their names, on a disk that keeps how a name is spelled and does not tell spellings apart. */
import { spelling } from "../../src/shared/fileStates";

export class FoldingMap<V> extends Map<string, V> {
  override get(name: string): V | undefined {
    return super.get(this.named(name));
  }

  override has(name: string): boolean {
    return super.has(this.named(name));
  }

  /** What is there keeps its name. */
  override set(name: string, value: V): this {
    return super.set(this.named(name), value);
  }

  override delete(name: string): boolean {
    return super.delete(this.named(name));
  }

  private named(name: string): string {
    return [...this.keys()].find(key => spelling(key) === spelling(name)) ?? name;
  }
}
