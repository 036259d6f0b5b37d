import { describe, expect, it } from 'vitest';
import { cli, jsonLines } from '../../test/support/operators/cli.ts';
import { problemReply, scriptedKey, scriptedRelay } from '../../test/support/operators/scripted-relay.ts';

const env = { TURNPIKE_API_KEY: scriptedKey };

const eventOf = (n: number) => ({
  id: `msg_${n}`,
  type: 'session.approved',
  subject: `cs_${n}`,
  created_at: new Date(Date.parse('2027-03-31T10:00:00Z') + n * 60_000).toISOString(),
  delivery: { status: 'failed', tries: 38, failed_at: '2027-04-03T10:15:04.000Z', reason: 'http_503' },
  data: { order_no: `A-${n}` },
});
const page = (numbers: number[], next?: string) => ({
  status: 200,
  body: { events: numbers.map(eventOf), ...(next === undefined ? {} : { next }) },
});
const sent = (redelivered: number, next?: string) => ({ status: 202, body: { redelivered, next } });
const numbersDown = (from: number, count: number) => Array.from({ length: count }, (_, at) => from - at);

describe('turnpike events list', () => {
  it('asks for what the options say, and shows a line each', async () => {
    const relay = await scriptedRelay(page([2]));
    const args = ['events', 'list', '--failed', '--type', 'session.approved', '--about', 'cs_2', '--limit', '5'];
    const { code, out } = await cli([...args, '--url', relay.url], { env });
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/v1/events?status=failed&type=session.approved&subject=cs_2&limit=5',
    ]);
    expect(code).toBe(0);
    expect(out.split('\n')[1]?.split('\t')).toEqual([
      'msg_2',
      'session.approved',
      'cs_2',
      'failed',
      '38',
      'http_503',
      '2027-03-31T10:02:00.000Z',
    ]);
  });

  it('ends at a moment, and asks for no page behind it', async () => {
    const relay = await scriptedRelay(page([4, 3, 2], 'msg_2'));
    const args = ['events', 'list', '--all', '--since', '2027-03-31T10:03:00Z', '--json'];
    const { out } = await cli([...args, '--url', relay.url], { env });
    expect(jsonLines(out)).toMatchObject([{ id: 'msg_4' }, { id: 'msg_3' }]);
    expect(relay.asked).toHaveLength(1);
  });

  it('refuses a type that there is not', async () => {
    const { code, err } = await cli(['events', 'list', '--type', 'session.paid', '--url', 'http://x'], { env });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--type: is not a type of events') });
  });
});

it('turnpike events get shows one event', async () => {
  const relay = await scriptedRelay({ status: 200, body: eventOf(1) });
  const { out } = await cli(['events', 'get', 'msg_1', '--url', relay.url], { env });
  expect(out).toMatch(/^event +msg_1\n[\s\S]*delivery +failed after 38 tries\n[\s\S]*"order_no":"A-1"/);
});

describe('turnpike events redeliver', () => {
  const filter = ['events', 'redeliver', '--failed', '--since', '2027-03-31T10:02:00Z', '--type', 'session.approved'];
  const asked = { status: 'failed', type: 'session.approved', since: '2027-03-31T10:02:00.000Z' };

  it('sends events again by their ids, a hundred at a time', async () => {
    const relay = await scriptedRelay(sent(100), sent(3));
    const ids = numbersDown(103, 103).map((n) => `msg_${n}`);
    const { code, out } = await cli(['events', 'redeliver', ...ids, '--yes', '--json', '--url', relay.url], { env });
    expect({ code, lines: jsonLines(out) }).toEqual({ code: 0, lines: [{ redelivered: 103 }] });
    expect(relay.asked.map(({ body }) => JSON.parse(body))).toEqual([
      { ids: ids.slice(0, 100) },
      { ids: ids.slice(100) },
    ]);
    const keys = relay.asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('sends few without a question', async () => {
    const relay = await scriptedRelay(page([4, 3, 2, 1]), sent(3));
    const { code, out } = await cli([...filter, '--url', relay.url], { env });
    expect({ code, out }).toEqual({ code: 0, out: 'sent again  3\n' });
    expect(JSON.parse(relay.asked[1]?.body ?? '')).toEqual(asked);
  });

  it('asks a person about many, then goes on page by page', async () => {
    const relay = await scriptedRelay(
      page(numbersDown(111, 100), 'msg_12'),
      page(numbersDown(11, 11)),
      sent(100, 'msg_101'),
      sent(10),
    );
    const { code, out, err } = await cli([...filter, '--url', relay.url], { env, answers: ['y'] });
    expect(err).toContain('Send 110 events again? [y/N]');
    expect({ code, out }).toEqual({ code: 0, out: 'sent again  110\n' });
    const bodies = relay.asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual([asked, { ...asked, after: 'msg_101' }]);
  });

  it('sends nothing where the person says no, or cannot be asked', async () => {
    const relay = await scriptedRelay(page(numbersDown(20, 15)));
    expect(await cli([...filter, '--url', relay.url], { env, answers: ['n'] })).toMatchObject({ code: 1 });
    expect(await cli([...filter, '--url', relay.url], { env })).toMatchObject({ code: 2 });
    expect(relay.asked.every(({ method }) => method === 'GET')).toBe(true);
  });

  it.each([
    [['events', 'redeliver']],
    [['events', 'redeliver', 'msg_1', '--failed']],
    [['events', 'redeliver', '--failed', '--acknowledged']],
    [['events', 'redeliver', 'msg_1', '--since', '2h']],
  ])('refuses what names nothing, or two things: %j', async (args) => {
    expect(await cli([...args, '--url', 'http://x'], { env })).toMatchObject({ code: 2 });
  });

  it('says that it can be repeated where no answer came', async () => {
    const relay = await scriptedRelay('drop');
    const io = { wait: async () => undefined };
    const { code, err } = await cli(['events', 'redeliver', 'msg_1', '--url', relay.url], { env, io });
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('Repeat the command') });
  });
});

describe('turnpike events acknowledge', () => {
  it('sends the relay each event', async () => {
    const done = (n: number) => ({ status: 200, body: eventOf(n) });
    const relay = await scriptedRelay(done(1), done(2));
    const { code } = await cli(['events', 'acknowledge', 'msg_1', 'msg_2', '--url', relay.url], { env });
    expect(code).toBe(0);
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/v1/events/msg_1/acknowledge',
      '/v1/events/msg_2/acknowledge',
    ]);
  });

  it('ends with 1 for an event that has not failed', async () => {
    const relay = await scriptedRelay(problemReply('event_not_failed'));
    const ended = await cli(['events', 'acknowledge', 'msg_1', '--url', relay.url], { env });
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('event_not_failed') });
  });
});
