import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, jsonLines } from '../../test/support/operators/cli.ts';
import { problemReply, scriptedKey, scriptedRelay } from '../../test/support/operators/scripted-relay.ts';

const message = 'This relay is older and has no GET /v1/key.';

it('is read by login, which names an older relay', async () => {
  const relay = await scriptedRelay(problemReply('not_found'));
  const home = mkdtempSync(join(tmpdir(), 'turnpike-key-'));
  const env = { HOME: home, XDG_CONFIG_HOME: home };
  expect(await cli(['login'], { env, answers: [relay.url, scriptedKey] })).toMatchObject({
    ...{ code: 1, err: expect.stringContaining(message) },
  });
  expect(existsSync(join(home, 'turnpike'))).toBe(false);
});

it('is read by whoami, which names an older relay', async () => {
  const relay = await scriptedRelay(problemReply('not_found'));
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: scriptedKey };
  const { code, err } = await cli(['whoami', '--json'], { env });
  expect({ code, lines: jsonLines(err) }).toMatchObject({
    code: 1,
    lines: [{ error: { code: 'relay_too_old', message } }],
  });
});
