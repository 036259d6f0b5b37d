import type { PaymentActionName } from '../../../sandbox/gateway/admin/payment-actions.ts';
import { paymentCodes } from '../../../sandbox/gateway/books/states.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { willing } from '../relays/idempotent.ts';
import { account } from '../relays/relay.ts';
import { redirection } from './issuer.ts';
import { RefundBooks } from './refund-books.ts';
import { sandboxGateway } from './sandbox-gateway.ts';
import {
  approval,
  type Received,
  scriptedGateway,
  sendRecords,
  sendSigned,
  sendXml,
  signedXml,
} from './scripted-gateway.ts';
import { bookDate } from './settlement.ts';

/** The actions of a bank, a card holder or a person in the portal on a payment. */
type PortalAction = Extract<PaymentActionName, 'accept' | 'charge_back' | 'reverse' | 'approve'>;

/** A gateway whose payments change by themselves. Each change is notified. */
export type PortalGateway = {
  url: string;
  act(action: PortalAction, transaction: string): Promise<void>;
  /** The last payment that waits at an issuer's page. */
  waiting(): string;
  /** Charges a contract again, or has its card declined; returns the transaction. */
  renew(recurring_id: string, how: 'charge' | 'decline'): Promise<string>;
  /** The bank of the beneficiary returns the last payout. */
  returnPayout(): Promise<void>;
  /** The number of received operations with a name, such as `refund`. */
  sent(name: 'refund' | 'capture' | 'cancel' | 'review'): number;
};

const DAY_MS = 86_400_000;

/** The sandbox's gateway, which refuses impossible requests. */
export async function sandboxPortal(): Promise<PortalGateway> {
  const { url, payments, books, clock, messages } = await sandboxGateway({ answers: { payment_codes: 'each_state' } });
  const post = async (path: string): Promise<void> => {
    const response = await fetch(`${url}/admin/${path}`, { method: 'POST' });
    if (!response.ok) throw new Error(`the portal refuses ${path}: ${await response.text()}`);
  };
  const last = (): string => payments.list().at(-1)?.transaction_id ?? '';
  return {
    url,
    act: (action, transaction) => post(`payments/${transaction}/${action}`),
    waiting: () => payments.list().findLast(({ state }) => state.status === 'undecided')?.transaction_id ?? '',
    async renew(recurring_id, how) {
      const contract = books.contracts.withId(recurring_id);
      if (!contract) throw new Error('there is no such contract');
      // Not to the end of an open period, at which it is charged anyway.
      clock.advance(2 * DAY_MS);
      while (contract.period?.status !== 'open') clock.advance(DAY_MS);
      await post(`contracts/${recurring_id}/periods/${how}`);
      return last();
    },
    // Its reference makes it fail after a minute.
    returnPayout: async () => clock.advance(61_000),
    sent: (name) => messages.list().filter(({ operation }) => operation === name).length,
  };
}

/** A time in the format of a payout (§2.10), this many milliseconds from now. */
const updatedAt = (ms: number): string => new Date(Date.now() + ms).toISOString().replace(/\.\d+Z$/, '+0000');

const held = testCards.held.number;

/** A gateway that executes every request and whose records change only in the portal. */
export async function willingPortal(): Promise<PortalGateway> {
  const records: Record<string, unknown>[] = [];
  const notifyUrls = new Map<string, string>();
  const refunds = new RefundBooks();
  const paymentOf = ({ message }: Received, payment_status: string) => {
    const { order_no, amount, currency, notify_url, subscription } = message;
    const transaction_id = `T-${records.length + 1}`;
    const recurring_id = subscription === undefined ? '' : `R-${records.length + 1}`;
    const contract = recurring_id && { subscription_result: { recurring_id, recurring_status: '1' } };
    records.push({
      order_no,
      amount,
      currency,
      transaction_id,
      payment_status,
      transaction_date: bookDate(),
      ...(contract || {}),
    });
    notifyUrls.set(transaction_id, String(notify_url));
    return { transaction_id, recurring_id };
  };
  const gateway = await scriptedGateway((received, res, req) => {
    const { path, message } = received;
    if (path === operations.query.path) {
      const names = [message.orders, message.trades].flatMap((list) => String(list ?? '').split(','));
      return sendRecords(
        res,
        records.filter(({ order_no, transaction_id }) =>
          [order_no, transaction_id].some((name) => names.includes(String(name))),
        ),
      );
    }
    if (path === operations.refund.path || path === operations.refund_search.path)
      return refunds.script(received, res, req);
    if (path === operations.payout.path) {
      const { encryption_data: _, ...echo } = message;
      return sendSigned(res, { ...echo, transaction_id: 'P-1', status: 'COMPLETED', last_updated_at: updatedAt(0) });
    }
    if (path !== operations.direct_payment.path) return willing(received, res, req);
    if (message.payment_method !== undefined) {
      paymentOf(received, paymentCodes.pending);
      return sendXml(res, signedXml(redirection(received, 'http://127.0.0.1:9/')));
    }
    const code = message.card === held ? paymentCodes.held : paymentCodes.approved;
    sendXml(res, signedXml({ ...approval(received), ...paymentOf(received, code) }));
  });
  const post = async (url: unknown, fields: object): Promise<void> => {
    const response = await fetch(String(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...fields, encryption_data: sign({ ...fields }, account.signingSecret) }),
    });
    if (!response.ok) throw new Error(`not acknowledged: ${response.status}`);
  };
  const notify = async (transaction_id: string, url = notifyUrls.get(transaction_id)): Promise<void> => {
    const order_no = String(records.find((one) => one.transaction_id === transaction_id)?.order_no);
    await post(url, { merchant_id: account.merchant_id, account_id: account.account_id, transaction_id, order_no });
  };
  const codeAfter = {
    ...{ accept: paymentCodes.approved, charge_back: paymentCodes.charged_back },
    ...{ reverse: paymentCodes.approved, approve: paymentCodes.approved },
  };
  return {
    url: gateway.url,
    async act(action, transaction) {
      const record = records.find(({ transaction_id }) => transaction_id === transaction);
      if (!record) throw new Error('there is no such payment');
      record.payment_status = codeAfter[action];
      await notify(transaction);
    },
    waiting: () =>
      String(records.findLast(({ payment_status }) => payment_status === paymentCodes.pending)?.transaction_id),
    async renew(recurring_id, how) {
      const isOfContract = ({ subscription_result: of }: Record<string, unknown>): boolean =>
        JSON.stringify(of)?.includes(`"${recurring_id}"`) === true;
      const cycle = records.filter(isOfContract).length + 1;
      const first = records.find(isOfContract);
      const transaction_id = `T-${records.length + 1}`;
      const date = bookDate(-cycle * 2 * DAY_MS);
      const payment_status = how === 'charge' ? paymentCodes.approved : paymentCodes.declined;
      const decline = how === 'charge' ? {} : { decline_reason: 'Insufficient funds' };
      records.push({
        ...{ ...first, order_no: `${first?.order_no}-R${cycle}`, transaction_id, payment_status },
        ...{ transaction_date: date, ...decline },
      });
      await notify(transaction_id, notifyUrls.get(String(first?.transaction_id)));
      return transaction_id;
    },
    async returnPayout() {
      const { encryption_data: _, notify_url, ...echo } = gateway.sent(operations.payout.path).at(-1)?.message ?? {};
      await post(notify_url, { ...echo, transaction_id: 'P-1', status: 'FAILED', last_updated_at: updatedAt(60_000) });
    },
    sent: (name) => gateway.sent(operations[name].path).length,
  };
}
