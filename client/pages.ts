/** One page of a list; `next` is the cursor of the page after it. */
type Page<Entry> = { entries: readonly Entry[]; next?: string | undefined };

/** Every entry of a list, page by page. A page is asked for when the one before it is read to its end. */
export async function* eachOf<Filter extends { before?: string }, Entry>(
  filter: Filter,
  list: (filter: Filter) => Promise<Page<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  let page = await list(filter);
  yield* page.entries;
  while (page.next !== undefined) {
    page = await list({ ...filter, before: page.next });
    yield* page.entries;
  }
}
