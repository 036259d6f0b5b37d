import type { Message } from '../../../../shared/gateway/signature.ts';

/**
 * The gateway's answer to a message, as a relay must read it. `unsigned`: without a signature. An answer with a wrong
 * signature, another order_no or no list is unusable.
 */
export type GatewayAnswer =
  | { kind: 'not_sent' }
  | { kind: 'refused'; status: number }
  | { kind: 'unusable'; fault: 'http_status' | 'timeout' | 'answer_too_large' }
  | { kind: 'unusable'; fault: 'signature_wrong' | 'number_differs' | 'no_list'; message: Message }
  | { kind: 'answer'; message: Message; unsigned?: true };

/** The answer to a message that the gateway accepted. */
export const answerOf = (message: Message): GatewayAnswer => ({ kind: 'answer', message });

export const httpError: GatewayAnswer = { kind: 'unusable', fault: 'http_status' };

/** A refusal before the message was accepted (§7). */
export const refused = (status: number): GatewayAnswer => ({ kind: 'refused', status });

/** An answer with a wrong signature. */
export const wronglySigned = (message: Message): GatewayAnswer => ({
  kind: 'unusable',
  fault: 'signature_wrong',
  message,
});

/** Whether the answer repeats the order and the amount of its message. */
export function repeatsOrder(answer: Message, { order_no, amount }: Message): boolean {
  return answer.order_no === order_no && answer.amount === amount;
}
