import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approving, scriptedGateway } from '../support/gateways/scripted-gateway.ts';
import { type PostgresPair, startPostgresPair } from '../support/postgres-pair.ts';
import { card, startTestRelay } from '../support/relays/relay.ts';
import { until } from '../support/time/until.ts';

describe('a relay whose database has a standby', () => {
  let pair: PostgresPair;
  beforeAll(async () => {
    pair = await startPostgresPair();
  });
  afterAll(() => pair?.close());

  it('accepts payments after the standby replaces a hanging server', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store: await pair.database() } });
    const [paid, open] = [await relay.session(), await relay.session()];
    expect((await relay.pay(paid.secret, card)).body).toMatchObject({ status: 'approved' });

    // The server hangs: no connection of the relay breaks.
    pair.primary.pause();
    const refused = await Promise.all([1, 2, 3].map(() => relay.pay(open.secret, card)));
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(gateway.authorised()).toHaveLength(1);

    await pair.promote();
    await until('the relay is ready', async () => (await relay.get('/readyz')).status === 200);
    expect(await relay.truth(paid.id)).toMatchObject({ status: 'approved' });
    expect((await relay.pay(open.secret, card)).body).toMatchObject({ status: 'approved' });
    expect(gateway.authorised()).toHaveLength(2);
  });
});
