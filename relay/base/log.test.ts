import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createLog, failureFields, instanceName, loggable, traced } from './log.ts';

const pan = '4111111111111111';

function logged(level = 'info') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') };
}

describe('the log', () => {
  it('writes the fields that are listed', () => {
    const { log, last } = logged();
    const fields = {
      session: 'cs_1',
      http_status: 200,
      written: true,
      codes: ['a', 'b'],
      at: 'relay/http/routes.ts:95',
    };
    log.info(fields, 'payment answered');
    expect(last()).toMatchObject({ ...fields, msg: 'payment answered', app: 'turnpike-relay' });
    expect(Date.parse(last().time)).toBeGreaterThan(0);
  });

  it('names the level, and the relay that wrote with its version', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) }, 'relay-2:8080');
    for (const level of ['info', 'warn', 'error', 'fatal'] as const) log[level]({}, 'a line');
    const written = lines.map((line) => JSON.parse(line));
    expect(written.map(({ level }) => level)).toEqual(['info', 'warn', 'error', 'fatal']);
    for (const line of written) expect(line).toMatchObject({ instance: 'relay-2:8080', version: manifest.version });
  });

  it('takes an instance’s name as it is given, or makes one', () => {
    expect(instanceName('eu-1/relay@2', 8080)).toBe('eu-1/relay@2');
    for (const none of [undefined, '']) expect(instanceName(none, 8080)).toMatch(/^[\w.-]{1,64}:8080$/);
    for (const wrong of ['two words', 'a\nb', 'x'.repeat(101)]) expect(instanceName(wrong, 8080)).toBeUndefined();
  });

  it('shows nothing of a request body that is logged by mistake', () => {
    const { log, lines, last } = logged();
    const body = {
      card: pan,
      security_code: '9173',
      first_name: 'Ada',
      device: { os: pan },
      [pan]: 1,
      session: 'cs_1',
    };
    log.info(body, 'careless');
    expect(last()).toMatchObject({ card: '[redacted]', security_code: '[redacted]', session: 'cs_1' });
    expect(lines.join('')).not.toMatch(/4111|9173|Ada/);
  });

  it('shows nothing of an error, whose text may quote what was handled', () => {
    const { log, lines } = logged();
    const careless: object = new Error(`cannot read ${pan}`);
    log.error(careless, 'careless');
    log.error({ ...careless, ...failureFields(careless) }, 'careful');
    expect(lines.join('')).not.toContain(pan);
    expect(failureFields(careless)).toMatchObject({
      error: 'Error',
      at: expect.stringMatching(/^relay\/base\/log\.test\.ts:\d+$/),
    });
  });

  it.each([
    ['a card number', { session: pan }],
    ['a card number in groups', { reason: '4111 1111 1111 1111' }],
    ['a card number set apart', { request_id: '4111-1111.1111-1111' }],
    ['a number as large as a card', { count: Number(pan) }],
    ['a sentence', { code: 'the card of Ada “Countess” was <refused>' }],
    ['an object where a word belongs', { status: { card: pan } }],
    ['a word where a number belongs', { ms: pan }],
    ['a word where a flag belongs', { written: pan }],
    ['a card in a list', { codes: [pan] }],
    ['a text as evidence', { evidence: pan }],
  ])('does not take %s under the name of a listed field', (_what, fields) => {
    expect(JSON.stringify(loggable(fields))).toMatch(/\[redacted\]/);
    expect(JSON.stringify(loggable(fields))).not.toMatch(/4111|Ada/);
  });

  it('takes of evidence the status and the text alone, without cards', () => {
    const evidence = { http_status: 500, body: `<pre>${pan}</pre>`, raw: pan };
    expect(loggable({ evidence })).toEqual({ evidence: { http_status: 500, body: '<pre>411111******1111</pre>' } });
  });

  it('takes ids, times and places as they are', () => {
    const fields = {
      request_id: '01890a5d-ac96-774b-bcce-b302099a8057',
      transaction_id: pan,
      next_try_at: '2026-11-21T06:46:10.123Z',
      route: '/notify/:kind/:id/:token',
      url: 'http://[::1]:8080',
      items: Array(100).fill('succeeded').join(' '),
    };
    expect(loggable(fields)).toEqual(fields);
  });

  it('adds the subject of the work to every line, also asynchronously', async () => {
    const { log, lines } = logged();
    await traced({ request_id: 'req_12345678' }, async () => {
      await new Promise((done) => setTimeout(done, 1));
      traced({ attempt: 'at_1' }, () => log.info({ session: 'cs_1' }, 'first'));
      log.info({}, 'second');
    });
    log.info({}, 'third');
    const [first, second, third] = lines.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ request_id: 'req_12345678', attempt: 'at_1', session: 'cs_1' });
    expect(second).toMatchObject({ request_id: 'req_12345678' });
    expect(second).not.toHaveProperty('attempt');
    expect(second).not.toHaveProperty('session');
    expect(third).not.toHaveProperty('request_id');
  });
});
