type Typed = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** A typed array that grows. `data` is another one after it has grown, so it is not to be kept. */
export class Growing<T extends Typed> {
  data: T;
  length = 0;

  constructor(private readonly type: new (length: number) => T) {
    this.data = new type(64);
  }

  /** Makes room for `length` entries, zeros where new. */
  reach(length: number): void {
    if (length > this.data.length) this.resize(Math.max(length, Math.ceil(this.data.length * 1.5)));
    this.length = Math.max(this.length, length);
  }

  append(from: Typed, count: number): void {
    const at = this.length;
    this.reach(at + count);
    // A loop, since these are short: a view of `from` would cost more.
    const { data } = this;
    for (let index = 0; index < count; index++) data[at + index] = from[index] ?? 0;
  }

  /** Gives back what is reserved beyond `size`. */
  trim(size: number): void {
    if (size >= this.data.length) return;
    this.length = Math.min(this.length, size);
    this.resize(size);
  }

  private resize(size: number): void {
    const data = new this.type(size);
    data.set(this.data.subarray(0, Math.min(this.data.length, size)));
    this.data = data;
  }
}
