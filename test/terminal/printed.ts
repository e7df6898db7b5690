/** Streams that keep what was printed. */
export function printed() {
  const texts = { out: "", err: "" };
  const streams = {
    out: (text: string) => {
      texts.out += text;
    },
    err: (text: string) => {
      texts.err += text;
    },
  };
  return { texts, streams };
}
