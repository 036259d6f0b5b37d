/** Works on what comes, several at once, and gives the results in its order. What the work throws ends it. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // It is awaited in its turn.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length === atOnce ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}

/** What comes, so many at a time. */
export async function* chunksOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<Item[], void, undefined> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
