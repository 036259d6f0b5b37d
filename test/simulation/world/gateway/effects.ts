import type { OperationName } from '../../../../shared/gateway/operations.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { EffectFate } from '../../steps.ts';
import type { Intent } from '../owner.ts';
import type { World } from '../world.ts';
import type { Course } from './payments.ts';
import { answered, httpError, refused, type Said, wronglySigned } from './said.ts';

/** A refund, capture, cancel or payout that the gateway took. */
export type Execution = {
  name: OperationName;
  intent: string;
  reference: string;
  transaction_id: string;
  order_no: string;
  currency: string;
  amount: string;
  refund_amount: string;
  visibleAt: number;
  /** Whether it moves money, and from when on a search tells that. */
  moves: boolean;
  reportedFrom: number;
};

const lists = { refund: 'refund_orders', capture: 'capture_orders', cancel: 'cancel_orders' } as const;
type Batch = keyof typeof lists;

/** A status of which the profile knows nothing. */
const UNLISTED = '5';

/** A message that changes something at the gateway: it does what the fate says, whatever it did before. */
export function effect(
  world: World,
  done: Execution[],
  name: Batch | 'payout',
  message: Message,
  intent: Intent,
): Course {
  const { fate } = intent;
  const act = (): Said | undefined => {
    const items = name === 'payout' ? [message] : itemsOf(message, lists[name]);
    const executed = items.map((item) => execute(world, done, name, item, intent));
    if (fate.answer === 'lost') return undefined;
    if (fate.answer === 'http_500') return httpError;
    if (fate.does === 'refused_400') return refused(400);
    const told = name === 'payout' ? payoutAnswer(message, fate) : batchAnswer(name, message, executed, fate);
    return fate.answer === 'unsigned' ? wronglySigned(told) : answered(told);
  };
  return { way: fate.way, acts: fate.slow, answers: fate.answerSlow, act };
}

/** A refund search (§4.2): of payments, named by order_no or transaction_id, or of refunds by their refund_reference_ids. */
export function refundSearch({ clock, random }: World, done: readonly Execution[], message: Message): Course {
  const payments = namesIn(message.refund_orders);
  const references = namesIn(message.refund_references);
  const act = (): Said => {
    const found = done.filter(
      (one) =>
        one.name === 'refund' &&
        one.visibleAt <= clock.now() &&
        (references.includes(one.reference) ||
          payments.includes(one.transaction_id) ||
          payments.includes(one.order_no)),
    );
    const { merchant_id, account_id } = message;
    const refund_orders = found.map((one) => {
      const { reference, transaction_id, order_no, currency, amount, refund_amount } = one;
      return {
        ...{ transaction_id, order_no, currency, amount, refund_amount },
        refund_reference_id: reference,
        refund_status: refundStatus(one, clock.now()),
      };
    });
    return answered({ merchant_id, account_id, return_status: '1', return_message: 'OK', refund_orders });
  };
  return { way: 'arrives', acts: random('queries').between(5, 100), answers: random('queries').between(5, 100), act };
}

function namesIn(list: unknown): string[] {
  return typeof list === 'string' ? list.split(',') : [];
}

function refundStatus({ moves, reportedFrom }: Execution, now: number): string {
  if (now < reportedFrom) return UNLISTED;
  return moves ? '1' : '0';
}

function execute(
  { clock, say }: World,
  done: Execution[],
  name: Batch | 'payout',
  item: Message,
  intent: Intent,
): string {
  const { fate, id } = intent;
  const moves = fate.does !== 'unlisted_failed';
  const isToldLater = fate.does === 'unlisted' || !moves;
  if (fate.does === 'failed' || fate.does === 'refused_400') return '';
  const reference = `X${done.length + 1}`;
  const text = (field: string): string => String(item[field] ?? '');
  done.push({
    name,
    intent: id,
    reference,
    transaction_id: text('transaction_id'),
    order_no: text('order_no'),
    currency: text('currency'),
    amount: text('amount'),
    refund_amount: text('refund_amount'),
    visibleAt: clock.now() + (isToldLater ? fate.hidden / 2 : fate.hidden),
    moves,
    reportedFrom: clock.now() + fate.hidden,
  });
  say(`gateway: ${name} ${reference} ${moves ? 'done' : 'fails'} for ${id}`);
  return reference;
}

function itemsOf(message: Message, list: string): Message[] {
  const items = message[list];
  return Array.isArray(items) ? items : [];
}

function batchAnswer(name: Batch, message: Message, references: readonly string[], { does }: EffectFate): Message {
  const status = { done: '1', failed: '0', unlisted: UNLISTED, unlisted_failed: UNLISTED, refused_400: '0' }[does];
  const { merchant_id, account_id } = message;
  const results = itemsOf(message, lists[name]).map((item, at) => ({
    ...item,
    [`${name}_status`]: status,
    ...(name === 'refund'
      ? { refund_message: does === 'done' ? 'V0000:OK' : 'E0001:No', refund_reference_id: references[at] || undefined }
      : {}),
  }));
  return { merchant_id, account_id, return_status: '1', return_message: 'OK', [lists[name]]: results };
}

function payoutAnswer(message: Message, { does }: EffectFate): Message {
  const unlisted = does === 'unlisted' || does === 'unlisted_failed';
  const status = does === 'done' ? 'COMPLETED' : unlisted ? 'PROCESSING' : 'FAILED';
  return { ...message, transaction_id: `P${String(message.request_id)}`, status };
}
