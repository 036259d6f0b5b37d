import { operations } from '../../../shared/gateway/operations.ts';
import type { RefundRecord } from '../../../shared/gateway/refund.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { ServerResponse } from '../http/http-server.ts';
import { identity } from './operation-cases.ts';
import { drop, type Script, sendSigned } from './scripted-gateway.ts';

type Item = { transaction_id: string; currency: string; amount: string; refund_amount: string; order_no?: string };

/** A gateway that keeps records of its refunds. A test can suppress its answers. */
export class RefundBooks {
  readonly records: RefundRecord[] = [];
  /** Whether refunds are booked, and whether the answer says so. */
  refund: 'answered' | 'booked_and_lost' | 'lost' | 'refused' | 'booked_and_refused' = 'answered';
  /** The number of the latest refunds that a search does not show yet. */
  lag = 0;
  /** The answer to a search in place of the true one. */
  search: ((res: ServerResponse, truth: object) => void) | undefined;
  /** Changes the next booking. */
  change: Partial<RefundRecord> = {};

  readonly script: Script = (received, res, req) => {
    if (received.path === operations.refund_search.path) return this.#search(received.message, res);
    const asked = received.message.refund_orders;
    const items: Item[] = Array.isArray(asked) ? asked : [];
    if (this.refund === 'lost') return drop(received, res, req);
    if (this.refund === 'refused') return void res.writeHead(400).end('Invalid input');
    const refund_orders = items.map((item) => this.add(item));
    if (this.refund === 'booked_and_lost') return drop(received, res, req);
    if (this.refund === 'booked_and_refused') return void res.writeHead(400).end('Invalid input');
    sendSigned(res, {
      ...envelope,
      refund_orders: refund_orders.map((record) => ({ ...record, refund_message: 'V0000:OK' })),
    });
  };

  /** Books a refund, like the gateway or a person in its portal. */
  add({
    transaction_id,
    currency,
    amount,
    refund_amount,
    order_no = `order of ${transaction_id}`,
  }: Item): RefundRecord {
    const number = this.records.filter((record) => record.transaction_id === transaction_id).length + 1;
    const refund_reference_id = `${transaction_id}-${String(number).padStart(2, '0')}`;
    const item = { transaction_id, order_no, currency, amount, refund_amount };
    const record = { ...item, refund_status: '1', refund_reference_id, ...this.change };
    this.records.push(record);
    return record;
  }

  #search({ refund_orders, refund_references }: Message, res: ServerResponse): void {
    const shown = this.records.slice(0, this.records.length - this.lag);
    const [orders, ids] = [refund_orders, refund_references].map((list) => String(list ?? '').split(','));
    const found = shown.filter(
      ({ order_no, transaction_id, refund_reference_id }) =>
        ids?.includes(String(refund_reference_id)) ||
        orders?.some((name) => name === order_no || name === transaction_id),
    );
    const truth = { ...envelope, refund_orders: found };
    if (this.search) this.search(res, truth);
    else sendSigned(res, truth);
  }
}

const envelope = { ...identity, return_status: '1', return_message: 'OK' };
