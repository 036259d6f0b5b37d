import * as right from '../../../relay/checkout/ask-before-paying.ts';

/** Wrong: whoever hung up while the gateway was asked is charged all the same. */
export const askBeforePaying: typeof right.askBeforePaying = (context, order, _hasHungUp, sessionId) =>
  right.askBeforePaying(context, order, () => false, sessionId);

export const checkConnected: typeof right.checkConnected = () => undefined;
