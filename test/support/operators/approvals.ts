import { operations, type RoutedName } from '../../../shared/gateway/operations.ts';
import type { storesOf } from '../gateways/settlement.ts';
import { moneyGateway } from '../relays/order-actions.ts';
import { apiKey, card, type Options, order } from '../relays/relay.ts';
import { ada, cheapHash, startConsole } from './console.ts';

/** A person of the account `demo` with every scope. */
export const person = (name: string, more: object = {}) => ({
  ...ada,
  ...{ name, password: cheapHash(`${name.toLowerCase()}’s`), ...more },
});

/** The options of `startMoney`, in addition to the console’s settings. */
type Terms = Partial<Options> & { console?: object; newStore?: ReturnType<typeof storesOf> };

/**
 * A console of people who move money, at a gateway that keeps records of refunds and executes every other operation.
 */
export async function startMoney({ newStore = async () => ({}), config, ...options }: Terms = {}) {
  const { gateway, instead } = await moneyGateway();
  const settings = { ...config, ...(await newStore()) };
  const startWith = (more: Partial<Options> & { console?: object }) =>
    startConsole({ gatewayUrl: gateway.url, ...options, ...more, config: { ...settings, ...more.config } });
  const relay = await startWith({});
  return {
    ...{ relay, gateway, instead },
    /** Another relay on the same store. */
    start: (more: Parameters<typeof startWith>[0]) => startWith({ folder: relay.folder, ...more }),
    /** Pays an order of 1000.00; returns it as an item of a batch. */
    async pay(more: object = {}) {
      const asked = { ...order(), amount: '1000.00', ...card, ...more };
      const { body, text } = await relay.post('/v1/payments', apiKey, asked);
      if (body.status !== 'approved') throw new Error(`not paid: ${text}`);
      return {
        transaction_id: String(body.transaction_id),
        order_no: asked.order_no,
        ...{ currency: asked.currency, amount: asked.amount },
      };
    },
    /** The messages of an operation that the gateway received. */
    sent: (name: RoutedName) => gateway.sent(operations[name].path).map(({ message }) => message),
  };
}
