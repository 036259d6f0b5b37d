import { expect, it } from 'vitest';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { relayWithEvents } from '../../support/relays/events.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

it('turnpike events lists failed events, resends them, and acknowledges one', async () => {
  const { receiver, relay, health, paid, list, giveUp } = await relayWithEvents(false);
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
  const failed = async () => jsonLines((await cli(['events', 'list', '--failed', '--json'], { env })).out);
  const sessions = await paid(3);
  await giveUp(3);
  const [first, ...others] = receiver.received.map(({ id }) => id);
  expect(await failed()).toMatchObject(sessions.toReversed().map((subject) => ({ subject })));

  expect(await cli(['events', 'acknowledge', String(first)], { env })).toMatchObject({ code: 0 });
  expect((await cli(['events', 'get', String(first)], { env })).out).toMatch(/delivery +acknowledged after 1 try/);

  health.isWell = true;
  const again = await cli(['events', 'redeliver', '--failed', '--since', '1h', '--json'], { env });
  expect({ code: again.code, lines: jsonLines(again.out) }).toEqual({ code: 0, lines: [{ redelivered: 2 }] });
  await until('both are delivered', async () => (await list('?status=delivered')).events.length === 2);
  expect(
    receiver.received
      .slice(3)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(others.toSorted());

  expect(await cli(['events', 'redeliver', String(first)], { env })).toMatchObject({ code: 0, out: 'sent again  1\n' });
  await until('it came again', () => receiver.received.filter(({ id }) => id === first).length === 2);
  const unknown = await cli(['events', 'redeliver', 'msg_none'], { env });
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('is no webhook of this account') });
});
