import type { z } from 'zod';
import { type Call, callOf, send } from './send.ts';
import { jsonOf, keyOf, pathOf, type Settings } from './settings.ts';

export type PostOptions = {
  /**
   * The idempotency key: requests with the same key and body have one effect. Default: a random key. To repeat a
   * request after a crash of your own process, set a key that you have stored, such as the id of a refund in your
   * database.
   */
  idempotencyKey?: string;
};

/** The requests of one client, which its resources send. */
export type Requests = ReturnType<typeof createRequests>;

/** Creates the requests of a client. `route` is the name of the request in errors. */
export function createRequests(settings: Settings) {
  const getAt = <Schema extends z.ZodType>(
    schema: Schema,
    route: string,
    path: () => string,
  ): Call<z.output<Schema>> => {
    const sent = async () => send(settings, { method: 'GET', route, path: path() }, schema);
    return callOf(sent());
  };

  const get = <Schema extends z.ZodType>(schema: Schema, route: string, id: string): Call<z.output<Schema>> =>
    getAt(schema, route, () => pathOf(route, id));

  const post = <Schema extends z.ZodType>(
    schema: Schema,
    { route, path = () => route }: { route: string; path?: () => string },
    body: object,
    postOptions: PostOptions = {},
  ): Call<z.output<Schema>> => {
    const sent = async () => {
      const idempotencyKey = keyOf(postOptions.idempotencyKey);
      return send(settings, { method: 'POST', route, path: path(), body: jsonOf(body), idempotencyKey }, schema);
    };
    return callOf(sent());
  };

  const postTo = <Schema extends z.ZodType>(
    schema: Schema,
    route: string,
    id: string,
    body: object,
    postOptions?: PostOptions,
  ): Call<z.output<Schema>> => post(schema, { route, path: () => pathOf(route, id) }, body, postOptions);

  const patch = <Schema extends z.ZodType>(
    schema: Schema,
    route: string,
    id: string,
    body: object,
  ): Call<z.output<Schema>> => {
    const sent = async () =>
      send(settings, { method: 'PATCH', route, path: pathOf(route, id), body: jsonOf(body) }, schema);
    return callOf(sent());
  };

  return { getAt, get, post, postTo, patch };
}

/** Every entry of a list. A page is requested when the previous one has been read. */
export async function* eachOf<Filter extends { before?: string }, Page extends { next?: string | undefined }, Entry>(
  filter: Filter,
  list: (filter: Filter) => Promise<Page>,
  entriesOf: (page: Page) => readonly Entry[],
): AsyncGenerator<Entry, void, undefined> {
  let page = await list(filter);
  yield* entriesOf(page);
  while (page.next !== undefined) {
    page = await list({ ...filter, before: page.next });
    yield* entriesOf(page);
  }
}
