/**
 * Which entry could not be read back out of a list that is written as one text (§4.6): one that holds the separator, or
 * makes one together with its neighbour. -1 where all can.
 */
export function unlistable(entries: readonly string[], separator: string): number {
  const read = entries.join(separator).split(separator);
  return entries.findIndex((entry, at) => entry.includes(separator) || read[at] !== entry);
}
