import { payFromServer } from '../../../relay/checkout/server/payment.ts';
import type { CallResult } from '../../../relay/gateway/call.ts';
import type { Reply } from '../../../relay/http/idempotency/idempotency.ts';
import type { CreatePayment } from '../../../shared/api/payment.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { auditAs } from '../relays/audit.ts';
import { setUpResolving } from './resolving.ts';

export const byCard: CreatePayment = {
  order_no: 'A',
  currency: 'BRL',
  amount: '10.00',
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '737',
};
export const byPix: CreatePayment = { order_no: 'A', currency: 'BRL', amount: '10.00', payment_method: 'PIX' };

const echo = { merchant_id: '100001', account_id: '200001', order_no: 'A', amount: '10.00', currency: 'BRL' };
export const answered = (more: Message): CallResult => ({
  kind: 'answer',
  message: { ...echo, ...more },
  evidence: () => ({}),
});
export const approval = answered({ transaction_id: 'T1', order_status: '1', result_info: '0000:Success' });
export const decline = answered({ transaction_id: 'T1', order_status: '0', result_info: '2001:no' });
export const timeout: CallResult = { kind: 'unusable', fault: 'timeout', evidence: {} };

/** A relay whose gateway answers payments this way, and the sent messages. */
export async function setUpServerPayments(answer: CallResult = approval, config: object = {}) {
  const relay = await setUpResolving(config);
  const { context, account } = relay;
  const query = context.call;
  const sent: { name: string; message: Message }[] = [];
  context.call = async (name, as, message, ...rest) => {
    if (name === 'query') return query(name, as, message, ...rest);
    sent.push({ name, message });
    return answer;
  };
  const kept: Reply[] = [];
  const audited: unknown[] = [];
  const { by, audit } = auditAs('server');
  const use = {
    account,
    by,
    person: undefined,
    key: undefined,
    answered: (reply: Reply) => {
      kept.push(reply);
      return undefined;
    },
    audit: {
      entry: (about: Parameters<typeof audit.entry>[0]) => {
        audited.push(about);
        return audit.entry(about);
      },
      written: () => void audited.push('written'),
    },
  };
  const post = async (body: CreatePayment = byCard, hasHungUp = () => false) => {
    const reply = await payFromServer(context, body, use, { hasHungUp });
    return { ...reply, body: JSON.parse(reply.body) };
  };
  return { ...relay, use, sent, kept, audited, post };
}
