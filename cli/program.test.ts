import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { cli, jsonLines } from '../test/support/operators/cli.ts';
import { problemReply, scriptedKey, scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import { processIo } from './base/io.ts';
import { createProgram } from './program.ts';

const key = { TURNPIKE_API_KEY: scriptedKey };
const empty = { status: 200, body: { orders: [] } };

/** Every command that does something, by its words. */
function paths(command: Command, words = ''): string[] {
  const below = command.commands.filter((one) => one.name() !== 'help');
  return [
    ...(below.length === 0 || words === 'doctor' ? [words] : []),
    ...below.flatMap((one) => paths(one, `${words} ${one.name()}`.trim())),
  ];
}

const program = await createProgram(processIo(), () => undefined);

describe('turnpike', () => {
  it('shows its commands, and ends with 0', async () => {
    const { code, out, err } = await cli(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/Usage: turnpike[\s\S]+orders[\s\S]+Exit codes/);
  });

  it('shows the global options in the help of each command', async () => {
    const { out } = await cli(['orders', 'list', '--help']);
    expect(out).toMatch(/--status[\s\S]+Global Options:[\s\S]+--key-file/);
  });

  it('shows no options of a command above as global ones', async () => {
    const { out } = await cli(['doctor', 'receiver', '--help']);
    expect(out).toMatch(/--secret-file[\s\S]+Global Options:[\s\S]+--json/);
    expect(out).not.toMatch(/--probe|--version/);
  });

  it.each(paths(program))('helps with %s', async (path) => {
    const { code, out } = await cli([...path.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: turnpike ${path}`);
    // A description, in small letters as the list of commands has it.
    expect(out).toMatch(/\n\n[a-z][^\n]+\n/);
  });

  it('prints its version', async () => {
    expect(await cli(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it.each([
    [['orders', 'lsit'], /lsit/],
    [['orders', 'list', '--stauts', 'paid'], /--stauts/],
    [['orders', 'list', '--limit', 'many'], /--limit: must be a whole number/],
    [['orders', 'list', '--from', 'monday'], /--from: must be a time/],
    [['orders', 'list', '--status', 'paied'], /--status: must be one of .*paid/],
    [['sandbox', '--webhook-url', 'hooks'], /--webhook-url: must be an absolute URL/],
    [['orders', 'get'], /order_no/],
    [['--url'], /argument missing/],
    [['orders', 'list'], /No relay is named[\s\S]+TURNPIKE_URL/],
    [['orders', 'list', '--url', 'http://127.0.0.1:1'], /No API key[\s\S]+--key-file/],
    [['orders', 'list', '--url', 'nowhere', '--key-file', '/none'], /Cannot read the key file \/none \(ENOENT\)/],
    [['orders', 'list', '--profile', 'live'], /profiles\.json \(ENOENT\)/],
  ])('ends with 2 for wrong usage: %j', async (args, says) => {
    const { code, out, err } = await cli(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });

  it('finds relay and key in a profile, beside which the key lies', async () => {
    const relay = await scriptedRelay(empty);
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-cli-'));
    writeFileSync(join(folder, 'live.key'), `${scriptedKey}\n`);
    const profiles = { profiles: { live: { url: relay.url, key_file: 'live.key' } } };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles));
    const env = { TURNPIKE_PROFILES: join(folder, 'profiles.json') };
    expect(await cli(['orders', 'list', '--profile', 'live'], { env })).toMatchObject({ code: 0 });
    expect(relay.asked[0]?.headers.authorization).toBe(`Bearer ${scriptedKey}`);
    const missing = await cli(['orders', 'list', '--profile', 'test'], { env });
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('It knows: live.') });
  });

  it('exits with 1 when the relay refuses, and says what to do', async () => {
    const relay = await scriptedRelay(problemReply('unauthorized'));
    const { code, err } = await cli(['orders', 'list', '--url', relay.url], { env: key });
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Check --key-file') });
    expect(err).not.toContain(scriptedKey);
  });

  it.each([
    [['--json', 'orders', 'list', '--stauts', 'paid'], /unknown option '--stauts'/],
    [['orders', 'get', '--json'], /missing required argument 'order_no'/],
    [['--json', 'orders', 'list', '--limit', 'many'], /--limit: must be/],
  ])('prints wrong usage as JSON too: %j', async (args, says) => {
    const { code, out, err } = await cli(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(jsonLines(err)).toEqual([{ error: { code: 'usage', message: expect.stringMatching(says) } }]);
  });

  it('prints errors as JSON too', async () => {
    const relay = await scriptedRelay(problemReply('missing_scope'));
    const { err } = await cli(['--json', 'orders', 'list', '--url', relay.url], { env: key });
    expect(jsonLines(err)).toMatchObject([{ error: { code: 'missing_scope', hint: expect.any(String) } }]);
  });
});
