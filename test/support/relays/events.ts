import { sha256 } from '../../../relay/base/keys.ts';
import { type EventAnswer, eventAnswer, eventList } from '../../../shared/api/event.ts';
import { approving, scriptedGateway } from '../gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../http/receiver.ts';
import { until } from '../time/until.ts';
import { documented } from './documented.ts';
import { giveUp, refuse } from './given-up.ts';
import { account, apiKey, card, otherAccountKey, queryOnlyKey, startTestRelay } from './relay.ts';

/** A relay that sends its shop webhooks. A failing receiver refuses them until `health` says otherwise. */
export async function relayWithEvents(isWell = true) {
  const health = { isWell };
  const receiver = await startReceiver((_webhook, res) => (health.isWell ? res.writeHead(204).end() : refuse(res)));
  const gateway = await scriptedGateway(approving);
  const { accounts, ...config } = withReceiver(receiver.url);
  const [own] = accounts;
  if (!own) throw new Error('no account');
  const keys = [...own.api_keys, { name: 'query', sha256: sha256(queryOnlyKey), scopes: ['query'] }];
  const other = { ...own, id: 'other', account_id: `${account.account_id}9` };
  const otherKeys = [{ name: 'all', sha256: sha256(otherAccountKey), scopes: ['*'] }];
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    config: {
      ...config,
      accounts: [
        { ...own, api_keys: keys },
        { ...other, api_keys: otherKeys },
      ],
    },
  });
  const reference = documented();
  return {
    receiver,
    relay,
    health,
    reference,
    /** Pays this many sessions, one after another, and waits until each webhook was tried. */
    async paid(count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) {
        const { id, secret } = await relay.session();
        await relay.pay(secret, card);
        ids.push(id);
        await until('the webhook is tried', () => receiver.received.some(({ data }) => data.id === id));
      }
      return ids;
    },
    /** Gives up this many webhooks that were sent to a failing receiver. */
    giveUp: (count: number) => giveUp(relay.context.store, count),
    async list(query = '', key = apiKey) {
      const answer = await relay.get(`/v1/events${query}`, key);
      reference.check('get', '/v1/events', answer);
      return { ...answer, ...(answer.status === 200 ? eventList.parse(answer.body) : { events: [], next: undefined }) };
    },
    async event(id: string): Promise<EventAnswer> {
      const answer = await relay.get(`/v1/events/${id}`, apiKey);
      reference.check('get', '/v1/events/{id}', answer);
      return eventAnswer.parse(answer.body);
    },
    async redeliver(
      id: string,
      { key = apiKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
    ) {
      const answer = await relay.post(`/v1/events/${id}/redeliver`, key, {}, headers);
      reference.check('post', '/v1/events/{id}/redeliver', answer);
      return answer;
    },
  };
}
