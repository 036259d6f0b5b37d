import { scryptSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsolePage, loadConsolePage } from '../../../relay/console/page.ts';
import { type Me, me } from '../../../shared/api/console.ts';
import { type Options, startTestRelay, type TestRelay } from '../relays/relay.ts';

/** A scrypt hash in the PHC string format, far cheaper than a real one. */
export function cheapHash(password: string, salt = 'salt for tests 1'): string {
  const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  const hash = scryptSync(password.normalize('NFKC'), salt, 32, { N: 16, r: 8, p: 1 });
  return `$scrypt$ln=4,r=8,p=1$${unpadded(Buffer.from(salt))}$${unpadded(hash)}`;
}

export const ada = { name: 'Ada', password: cheapHash('ada’s'), scopes: ['*'], accounts: ['demo'] };
export const bob = {
  name: 'Bob',
  password: cheapHash('bob’s'),
  scopes: ['console', 'query'],
  accounts: ['demo', 'other'],
};

/** A relay with a console for Ada, who has every scope in one account, and Bob, who has read access to two. */
export function startConsole(options: Partial<Options> & { console?: object } = {}): Promise<TestRelay> {
  const { console: settings, config, ...rest } = options;
  return startTestRelay({
    gatewayUrl: 'http://127.0.0.1:1',
    ...rest,
    config: { ...config, console: { people: [ada, bob], ...settings } },
  });
}

/** A person’s browser at the console. */
export type Visitor = {
  cookie: string;
  me: Me;
  get(path: string, headers?: Record<string, string>): ReturnType<TestRelay['send']>;
  post(path: string, body: unknown, headers?: Record<string, string>): ReturnType<TestRelay['send']>;
};

/** Tries to sign in. */
export function trySignIn(
  relay: TestRelay,
  name: string,
  password: string,
  headers: Record<string, string> = {},
  code?: string,
) {
  return relay.send('/console/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name, password, code }),
  });
}

/** Signs a person in. */
export async function signIn(relay: TestRelay, name = 'Ada', password = `${name.toLowerCase()}’s`): Promise<Visitor> {
  const answer = await trySignIn(relay, name, password);
  if (answer.status !== 200) throw new Error(`not signed in: ${answer.text}`);
  return visitorOf(relay, cookieIn(answer.headers), me.parse(answer.body));
}

/** The browser with this cookie. */
export function visitorOf(relay: TestRelay, cookie: string, who: Me): Visitor {
  return {
    cookie,
    me: who,
    get: (path, headers = {}) => relay.send(path, { headers: { cookie, ...headers } }),
    post: (path, body, headers = {}) =>
      relay.send(path, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'x-csrf-token': who.csrf, ...headers },
        body: JSON.stringify(body),
      }),
  };
}

/** The cookie that an answer sets, as the next request sends it. */
export function cookieIn(headers: Headers): string {
  return (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

/** A minimal build of the console’s page. */
export function builtConsole(): ConsolePage {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-console-'));
  const files = { 'app-1a2b.js': 'import("./figures-3c.js")', 'app-4d.css': 'body{}', 'figures-3c.js': 'export {}' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const manifest = { script: 'app-1a2b.js', style: 'app-4d.css', chunks: ['figures-3c.js'] };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'secret.txt'), 'not named');
  const page = loadConsolePage(folder);
  if (!page) throw new Error('not read');
  return page;
}
