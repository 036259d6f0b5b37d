import { Pool } from 'undici';
import { me } from '../../shared/api/console.ts';
import { cheapHash } from '../../test/support/operators/console.ts';
import { benchAccount } from './settings.ts';

const PASSWORD = 'of a benchmark';
const hash = cheapHash(PASSWORD);

/** The users of the console: a support team. */
export const team = Array.from({ length: 20 }, (_, at) => ({
  name: `Person ${at + 1}`,
  password: hash,
  scopes: ['*'],
  accounts: [benchAccount.id],
}));

/** A relay answered with an error status. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
  readonly code = 'not_answered';
}

/** True if the relay does not have the requested route. */
export function isMissing(error: unknown): error is NotAnswered {
  return error instanceof NotAnswered && error.message.includes(': 404 ');
}

/** A user who is signed in to the console. */
export type Person = {
  /** The path at which the console's session reaches a route of the HTTP API or of the console. */
  pathOf(route: string): string;
  headers(): Record<string, string>;
  /** Reads a whole answer. Throws NotAnswered for an error status. */
  get(route: string): Promise<string>;
  post(route: string, body: object): Promise<string>;
  /** For requests whose answers are streams. */
  pool: Pool;
  close(): Promise<void>;
};

/** Signs in to the console of a relay. Throws NotAnswered. */
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
    // The relay closes connections that were idle for five seconds. Like a browser, send a GET once more if that breaks it.
    const { statusCode, body: answered } = await sent().catch((error: unknown) => {
      if (method === 'GET' && error instanceof Error && 'code' in error) return sent();
      throw error;
    });
    const answerText = await answered.text();
    if (statusCode >= 300) throw new NotAnswered(`${method} ${path}: ${statusCode} ${answerText.slice(0, 500)}`);
    return answerText;
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
