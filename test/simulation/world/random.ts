/** Random numbers that a seed decides. */
export type Random = {
  /** At least 0 and less than 1. */
  (): number;
  /** A whole number of at least `low` and at most `high`. */
  between(low: number, high: number): number;
  /** Fills a buffer. */
  fill(buffer: Buffer): void;
};

/** One stream of a seed; other names give other streams, so that a draw from one does not shift another. */
export function randomOf(seed: number, name: string): Random {
  let state = seed | 0;
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x9e3779b1);
  // SplitMix32.
  const bits = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const random = (): number => bits() / 2 ** 32;
  return Object.assign(random, {
    between: (low: number, high: number): number => low + Math.floor(random() * (high - low + 1)),
    fill: (buffer: Buffer): void => {
      for (let at = 0; at < buffer.length; at++) buffer[at] = bits() & 0xff;
    },
  });
}
