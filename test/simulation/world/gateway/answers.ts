import type { Message } from '../../../../shared/gateway/signature.ts';

/**
 * What the gateway says to a message, before it is written, and as a relay must read it. An answer that is `unsigned` has no
 * signature, and one whose signature is wrong, that is about another order_no, or that has no list, tells nothing.
 */
export type GatewayAnswer =
  | { kind: 'not_sent' }
  | { kind: 'refused'; status: number }
  | { kind: 'unusable'; fault: 'http_status' | 'timeout' | 'answer_too_large' }
  | { kind: 'unusable'; fault: 'signature_wrong' | 'number_differs' | 'no_list'; message: Message }
  | { kind: 'answer'; message: Message; unsigned?: true };

/** The answer to a message that the gateway understood. */
export const answerOf = (message: Message): GatewayAnswer => ({ kind: 'answer', message });

export const httpError: GatewayAnswer = { kind: 'unusable', fault: 'http_status' };

/** A refusal before the message was taken (§7). */
export const refused = (status: number): GatewayAnswer => ({ kind: 'refused', status });

/** An answer whose signature is another's. */
export const wronglySigned = (message: Message): GatewayAnswer => ({
  kind: 'unusable',
  fault: 'signature_wrong',
  message,
});

/** True for an answer that is about its message: it repeats the order and the amount. */
export function repeatsOrder(answer: Message, { order_no, amount }: Message): boolean {
  return answer.order_no === order_no && answer.amount === amount;
}
