import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, cli, jsonLines } from '../../test/support/operators/cli.ts';
import { isInstalled } from '../../test/support/operators/programs.ts';
import { problemReply, type Reply, scriptedKey, scriptedRelay } from '../../test/support/operators/scripted-relay.ts';
import { keyringOf } from '../base/keyring.ts';

const orders: Reply = { status: 200, body: { orders: [] } };
const ofKey: Reply = { status: 200, body: { name: 'server', scopes: ['query'], account: { id: 'demo' } } };

/** A keyring of one file for each key, which notes its arguments. */
const SECRET_TOOL = `#!/bin/sh
echo "$*" >> "$KEYRING/arguments"
for profile; do :; done
case $1 in
  store) test -e "$KEYRING/locked" && exit 1; cat > "$KEYRING/$profile" ;;
  lookup) test -e "$KEYRING/locked" || cat "$KEYRING/$profile" 2>/dev/null ;;
  clear) test -e "$KEYRING/locked" || rm -f "$KEYRING/$profile" ;;
esac
`;

/** The program of the keychain, of which it knows as much as the command uses. */
const SECURITY = `#!/bin/sh
echo "$*" >> "$KEYRING/arguments"
case $1 in
  -i) read -r _ _ _ _ _ profile _ hex; printf %s "$hex" | sed 's/../\\\\x&/g' | xargs -0 printf %b > "$KEYRING/$profile" ;;
  find-generic-password) cat "$KEYRING/$5" 2>/dev/null && echo ;;
  delete-generic-password) rm -f "$KEYRING/$5" ;;
esac
`;

/** A person's empty folder with a program of their keyring, and a relay with these replies after the check of the key. */
async function setUp({ program = 'exit 1', replies = [orders] }: { program?: string; replies?: Reply[] } = {}) {
  const relay = await scriptedRelay(ofKey, ...replies);
  const home = mkdtempSync(join(tmpdir(), 'turnpike-login-'));
  const keyring = join(home, 'keyring');
  mkdirSync(keyring);
  for (const name of ['secret-tool', 'security']) {
    writeFileSync(join(home, name), program.startsWith('#!') ? program : `#!/bin/sh\n${program}\n`);
    chmodSync(join(home, name), 0o755);
  }
  const PATH = `${home}${delimiter}${process.env.PATH}`;
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), PATH, KEYRING: keyring };
  const file = (path: string) => join(home, 'config/turnpike', path);
  return {
    ...{ relay, env, keyring, file },
    turnpike: (args: string[], options: CliOptions = {}) => cli(args, { env, ...options }),
    login: (...args: string[]) => cli(['login', ...args], { env, answers: [relay.url, scriptedKey] }),
    profiles: () => JSON.parse(readFileSync(file('profiles.json'), 'utf8')),
  };
}

describe('turnpike login', () => {
  it('keeps the key in a private file without a keyring', async () => {
    const { relay, turnpike, login, file, profiles } = await setUp();
    const { code, out, err } = await login('--profile', 'live');
    expect(code).toBe(0);
    expect(err).toBe('Address of the relay: API key (not shown): \n');
    expect(out + err).not.toContain(scriptedKey);
    expect(profiles()).toEqual({ profiles: { live: { url: relay.url, key_file: 'logins/live.key' } } });
    expect(statSync(file('logins/live.key')).mode & 0o777).toBe(0o600);
    expect(statSync(file('logins')).mode & 0o777).toBe(0o700);
    expect(await turnpike(['orders', 'list', '--profile', 'live'])).toMatchObject({ code: 0 });
    expect(relay.asked.at(-1)?.headers.authorization).toBe(`Bearer ${scriptedKey}`);
    expect(await turnpike(['logout', '--profile', 'live'])).toMatchObject({ code: 0 });
    expect(profiles()).toEqual({ profiles: {} });
    expect(existsSync(file('logins/live.key'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('keeps the key in the keyring, and in no argument', async () => {
    const { relay, turnpike, login, file, keyring, profiles } = await setUp({ program: SECRET_TOOL });
    expect(await login()).toMatchObject({ code: 0, out: expect.stringContaining('secret-tool') });
    expect(profiles()).toEqual({ profiles: { default: { url: relay.url, keyring: true } } });
    expect(readFileSync(join(keyring, 'default'), 'utf8')).toBe(scriptedKey);
    expect(existsSync(file('logins'))).toBe(false);
    expect(await turnpike(['orders', 'list'])).toMatchObject({ code: 0 });
    expect(relay.asked.at(-1)?.headers.authorization).toBe(`Bearer ${scriptedKey}`);
    expect(await turnpike(['logout'])).toMatchObject({ code: 0 });
    expect(existsSync(join(keyring, 'default'))).toBe(false);
    expect(readFileSync(join(keyring, 'arguments'), 'utf8')).not.toContain(scriptedKey);
  });

  it.runIf(process.platform === 'linux')('says so if the keyring has lost the key', async () => {
    const { turnpike, login, keyring } = await setUp({ program: SECRET_TOOL });
    await login('--profile', 'live');
    writeFileSync(join(keyring, 'live'), '');
    expect(await turnpike(['orders', 'list', '--profile', 'live'])).toMatchObject({
      ...{ code: 2, err: expect.stringContaining('run turnpike login --profile live again') },
    });
  });

  it('keeps other profiles, and asks for nothing that is given', async () => {
    const { relay, turnpike, login, env, file, profiles } = await setUp({ replies: [ofKey] });
    await login('--profile', 'test');
    const key = join(env.HOME, 'own.key');
    writeFileSync(key, `${scriptedKey}\n`);
    const given = await turnpike(['login', '--profile', 'live', '--url', relay.url, '--key-file', key, '--json']);
    expect({ code: given.code, lines: jsonLines(given.out) }).toEqual({
      code: 0,
      lines: [{ profile: 'live', url: relay.url, key: 'server', scopes: ['query'], 'key in': file('logins/live.key') }],
    });
    expect(Object.keys(profiles().profiles)).toEqual(['test', 'live']);
  });

  it.runIf(process.platform === 'linux' && isInstalled('script'))(
    'shows nothing of the key on a terminal',
    async () => {
      const { relay, env, file } = await setUp();
      const command = `"${process.execPath}" "${join(import.meta.dirname, '../main.ts')}" login`;
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
      const answers = new Map([
        ['relay: ', relay.url],
        ['shown): ', scriptedKey],
      ]);
      let shown = '';
      terminal.stdout.on('data', (data) => {
        shown += String(data);
        for (const [question, answer] of answers) {
          if (shown.includes(question) && answers.delete(question)) terminal.stdin.write(`${answer}\r`);
        }
      });
      expect(await once(terminal, 'close')).toEqual([0, null]);
      expect(shown).toContain(relay.url);
      expect(shown).not.toContain(scriptedKey);
      expect(readFileSync(file('logins/default.key'), 'utf8')).toBe(`${scriptedKey}\n`);
    },
  );

  it('stores nothing if the relay refuses the key', async () => {
    const { turnpike, file } = await setUp();
    const relay = await scriptedRelay(problemReply('unauthorized'));
    const { code } = await turnpike(['login'], { answers: [relay.url, scriptedKey] });
    expect(code).toBe(1);
    expect(existsSync(file(''))).toBe(false);
  });

  it.each([
    [['login'], undefined, /Give --url/],
    [['login', '--url', 'http://127.0.0.1:1'], undefined, /Give --key-file/],
    [['login'], ['pay.example', scriptedKey], /begins with https/],
    [['login'], ['https://pay.example', ''], /no API key/],
    [['login'], ['http://pay.example', scriptedKey], /begins with https/],
    [['login'], ['http://127.0.0.1.pay.example', scriptedKey], /begins with https/],
    [['login', '--profile', '../x'], [], /name of a profile/],
    [['logout'], undefined, /no profile default/],
  ])('refuses %j, answered with %j', async (args, answers, says) => {
    const { turnpike } = await setUp();
    const { code, err } = await turnpike(args, answers ? { answers } : {});
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(says) });
  });
});

describe('the profile default', () => {
  it('gives its key to its own relay alone', async () => {
    const { turnpike, login, env } = await setUp();
    await login();
    const other = await scriptedRelay(orders);
    const { code, err } = await turnpike(['orders', 'list'], { env: { ...env, TURNPIKE_URL: other.url } });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('No API key') });
    expect(other.asked).toEqual([]);
  });

  it.each([
    ['default', [], 'No relay is named'],
    ['live', ['--profile', 'live'], 'No API key is given'],
  ])('sends its relay no key of the environment: %s', async (name, args, says) => {
    const { relay, turnpike, env, file } = await setUp();
    mkdirSync(file('.'), { recursive: true });
    writeFileSync(file('profiles.json'), JSON.stringify({ profiles: { [name]: { url: relay.url } } }));
    const withKey = { ...env, TURNPIKE_API_KEY: 'key-of-another-relay' };
    const { code, err } = await turnpike(['orders', 'list', ...args], { env: withKey });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(says) });
    expect(relay.asked).toEqual([]);
    const named = await turnpike(['orders', 'list', '--url', relay.url, ...args], { env: withKey });
    expect(named.err).not.toContain(says);
    expect(relay.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-of-another-relay']);
  });
});

describe('turnpike logout', () => {
  it.runIf(process.platform === 'linux')('removes the key of an earlier login from the keyring', async () => {
    const { turnpike, login, keyring, file, profiles } = await setUp({ program: SECRET_TOOL, replies: [ofKey] });
    await login();
    writeFileSync(join(keyring, 'locked'), '');
    expect(await login()).toMatchObject({ code: 0, out: expect.stringContaining(file('logins/default.key')) });
    expect(existsSync(join(keyring, 'default'))).toBe(true);
    rmSync(join(keyring, 'locked'));
    expect(await turnpike(['logout'])).toMatchObject({ code: 0 });
    expect(profiles()).toEqual({ profiles: {} });
    expect(readdirSync(keyring)).toEqual(['arguments']);
    expect(existsSync(file('logins/default.key'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('removes a key of which the profile does not know', async () => {
    const { turnpike, login, keyring, file, profiles } = await setUp({ program: SECRET_TOOL });
    await login();
    const { default: known } = profiles().profiles;
    writeFileSync(file('profiles.json'), JSON.stringify({ profiles: { default: { url: known.url } } }));
    expect(await turnpike(['logout'])).toMatchObject({ code: 0 });
    expect(readdirSync(keyring)).toEqual(['arguments']);
  });

  it('leaves a key file of the person’s own', async () => {
    const { turnpike, file } = await setUp();
    mkdirSync(file('.'), { recursive: true });
    writeFileSync(file('live.key'), scriptedKey);
    const profiles = JSON.stringify({ profiles: { live: { url: 'https://pay.example', key_file: 'live.key' } } });
    writeFileSync(file('profiles.json'), profiles);
    expect(await turnpike(['logout', '--profile', 'live'])).toMatchObject({ code: 2 });
    expect(existsSync(file('live.key'))).toBe(true);
    expect(readFileSync(file('profiles.json'), 'utf8')).toBe(profiles);
  });
});

describe('the keychain of macOS', () => {
  it('takes the key by its input, and gives it back', async () => {
    const { env, keyring: folder } = await setUp({ program: SECURITY });
    const keyring = keyringOf({ env }, 'darwin');
    expect(keyring?.store('live', 'sk_"a b"$\\')).toBe(true);
    expect(keyring?.read('live')).toBe('sk_"a b"$\\');
    expect(keyring?.remove('live')).toBe(true);
    expect(keyring?.read('live')).toBe(undefined);
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).not.toMatch(/sk_/);
  });

  it('is not there on other systems', () => {
    expect(keyringOf({ env: {} }, 'win32')).toBe(undefined);
  });
});
