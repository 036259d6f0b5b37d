import { Pool } from 'undici';
import { me } from '../../shared/api/console.ts';
import { cheapHash } from '../../test/support/operators/console.ts';
import { benchAccount } from '../harness/settings.ts';

const PASSWORD = 'of a benchmark';
const hash = cheapHash(PASSWORD);

/** The people of a support team. */
export const team = Array.from({ length: 20 }, (_, at) => ({
  name: `Person ${at + 1}`,
  password: hash,
  scopes: ['*'],
  accounts: [benchAccount.id],
}));

export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
  readonly code = 'not_answered';
}

/** True for what is told of a route that a relay has not. */
export function isMissing(error: unknown): error is NotAnswered {
  return error instanceof NotAnswered && error.message.includes(': 404 ');
}

/** Somebody who is signed in. */
export type Person = {
  /** The path of a route of the HTTP API, or of the console's own, for the account. */
  pathOf(route: string): string;
  headers(): Record<string, string>;
  /** Reads an answer to its end. Throws NotAnswered for another status than 200. */
  get(route: string): Promise<string>;
  post(route: string, body: object): Promise<string>;
  /** How to read what is not read to its end. */
  pool: Pool;
  close(): Promise<void>;
};

/** Signs somebody in at a relay. Throws NotAnswered. */
export async function signIn(origin: string, name: string): Promise<Person> {
  const pool = new Pool(origin, { connections: 8, bodyTimeout: 0 });
  const json = { 'content-type': 'application/json' };
  const answer = await pool.request({
    method: 'POST',
    path: '/console/api/sign-in',
    headers: json,
    body: JSON.stringify({ name, password: PASSWORD }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new NotAnswered(`sign-in: ${answer.statusCode} ${text}`);
  const { csrf } = me.parse(JSON.parse(text));
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const pathOf = (route: string): string =>
    route.startsWith('/console/') ? route : `/console/api/${benchAccount.id}${route}`;
  const send = async (method: 'GET' | 'POST', route: string, more: object, body?: object): Promise<string> => {
    const path = pathOf(route);
    const headers = { cookie, accept: 'application/json', ...more };
    const sent = () => pool.request({ ...{ method, path, headers }, ...(body ? { body: JSON.stringify(body) } : {}) });
    // The relay closes connections that nobody used for five seconds; a browser, too, sends what met that once more.
    const { statusCode, body: answered } = await sent().catch((error: unknown) => {
      if (method === 'GET' && error instanceof Error && 'code' in error) return sent();
      throw error;
    });
    const told = await answered.text();
    if (statusCode >= 300) throw new NotAnswered(`${method} ${path}: ${statusCode} ${told.slice(0, 500)}`);
    return told;
  };
  return {
    pathOf,
    headers: () => ({ cookie }),
    get: (route) => send('GET', route, {}),
    post: (route, body) =>
      send('POST', route, { ...json, 'x-csrf-token': csrf, 'idempotency-key': crypto.randomUUID() }, body),
    pool,
    close: () => pool.close(),
  };
}
