import { expect, it } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { documented } from '../../support/relays/documented.ts';
import { otherAccountKey, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';

it('returns the meaning of the gateway’s codes, and no other setting', async () => {
  const gateway = await scriptedGateway(approving);
  const lists = { held: ['H'], charged_back: [], refunded: [], partially_refunded: [], cancelled: [] };
  const payment_status = { approved: ['A'], declined: ['D'], pending: ['P'], ...lists };
  const profile = {
    gateway_time_zone: 'America/Sao_Paulo',
    query_without_list: 'empty',
    codes: { payment_status, query_result: { not_found: ['404'] } },
  };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, profile });
  const answer = await relay.get('/v1/profile', queryOnlyKey);
  documented().check('get', '/v1/profile', answer);
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    gateway_time_zone: 'America/Sao_Paulo',
    query_without_list: 'empty',
    codes: {
      payment_status,
      fraud_check: { rejected: ['REJECT'] },
      query_result: { not_found: ['404'] },
      return_status: { success: ['1'], failed: ['0'] },
      refund_status: { success: ['1'], failed: ['0'] },
    },
  });
  expect((await relay.get('/v1/profile', otherAccountKey)).body).toEqual(answer.body);
  expect(await relay.get('/v1/profile', 'nonsense')).toMatchObject({ status: 401 });
});
