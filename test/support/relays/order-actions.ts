import { sha256 } from '../../../relay/base/keys.ts';
import type { OrderActionName } from '../../../shared/api/order-action.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { identity } from '../gateways/operation-cases.ts';
import { RefundBooks } from '../gateways/refund-books.ts';
import {
  approval,
  type Script,
  scriptedGateway,
  sendRecords,
  sendSigned,
  sendXml,
  signedXml,
} from '../gateways/scripted-gateway.ts';
import type { storesOf } from '../gateways/settlement.ts';
import { startReceiver, withReceiver } from '../http/receiver.ts';
import { documented } from './documented.ts';
import { willing } from './idempotent.ts';
import { apiKey, card, order, queryOnlyKey, startTestRelay } from './relay.ts';

/** Answers a batch with this result of each item. */
export const answering =
  (result: object): Script =>
  ({ message }, res) => {
    const lists = Object.entries(message).flatMap(([field, items]) =>
      Array.isArray(items) ? [[field, items.map((item) => ({ ...item, ...result }))]] : [],
    );
    sendSigned(res, { ...identity, return_status: '1', return_message: 'OK', ...Object.fromEntries(lists) });
  };

/**
 * A gateway that approves each payment, keeps records of refunds and executes every other operation. A test fills
 * `records`.
 */
export async function moneyGateway() {
  const books = new RefundBooks();
  const records: object[] = [];
  /** A script that replaces the default for operations. */
  const instead: { script?: Script } = {};
  let payments = 0;
  const gateway = await scriptedGateway((received, res, req) => {
    switch (received.path) {
      case operations.direct_payment.path:
        payments += 1;
        return sendXml(res, signedXml({ ...approval(received), transaction_id: `TX-${payments}` }));
      case operations.query.path:
        return sendRecords(res, records);
      case operations.refund_search.path:
        return books.script(received, res, req);
      default: {
        const defaultScript = received.path === operations.refund.path ? books.script : willing;
        return (instead.script ?? defaultScript)(received, res, req);
      }
    }
  });
  return { gateway, books, records, instead };
}

/** A relay with paid orders, at a gateway that keeps records of refunds and executes every other operation. */
export async function setUpOrderActions(
  newStore: ReturnType<typeof storesOf>,
  { profile = {} }: { profile?: Record<string, unknown> } = {},
) {
  const shop = await startReceiver();
  const { gateway, books, records, instead } = await moneyGateway();
  const { accounts, ...config } = withReceiver(shop.url);
  const keys = { name: 'query', sha256: sha256(queryOnlyKey), scopes: ['query'] };
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    profile,
    config: {
      ...config,
      ...(await newStore()),
      accounts: accounts.map((account) => ({ ...account, api_keys: [...account.api_keys, keys] })),
      resolve: { first_ms: 100, max_ms: 500 },
    },
  });
  const reference = documented();

  return {
    ...{ shop, books, gateway, relay, records, instead, reference },
    /** Pays an order; returns its number and its transaction. */
    async pay(more: object = {}) {
      const { body, text } = await relay.post('/v1/payments', apiKey, { ...order(), ...card, ...more });
      if (body.status !== 'approved') throw new Error(`not paid: ${text}`);
      return { orderNo: String(body.order_no), transactionId: String(body.transaction_id) };
    },
    /** Executes an operation on an order's payment, and checks the answer against the document. */
    async act(name: OrderActionName, orderNo: string, body: object = {}, { key = '', bearer = apiKey } = {}) {
      const answer = await relay.post(
        `/v1/orders/${orderNo}/${name}`,
        bearer,
        body,
        key === '' ? {} : { 'idempotency-key': key },
      );
      reference.check('post', `/v1/orders/{order_no}/${name}`, answer);
      return answer;
    },
    /** The items of an operation that the gateway received. */
    sent: (name: OrderActionName) =>
      gateway.sent(operations[name].path).flatMap(({ message }) => {
        const items = message[operations[name].batch.list];
        return Array.isArray(items) ? items : [];
      }),
  };
}
