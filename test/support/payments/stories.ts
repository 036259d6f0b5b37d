import { lost, record, SECOND, type Story, session, story, toIssuer } from './sessions.ts';

/** An order with two sessions. */
export const two = () => story({ sessions: [session('cs_1'), session('cs_2')] });

/** An attempt without an answer. */
export const unanswered = (of = story()): Story => {
  of.pay();
  of.answer('at_1', lost);
  of.pass(5 * SECOND);
  return of;
};

/** An attempt whose shopper is at the issuer’s page. */
export const away = (of = story()): Story => {
  of.pay('at_1', { method: 'PIX' });
  of.answer('at_1', toIssuer);
  of.pass(5 * SECOND);
  return of;
};

/** An attempt that the gateway did not know. */
export const absent = (of = story()): Story => {
  unanswered(of).absent();
  return of;
};

/** A pending attempt. */
export const pending = (of = story(), method = 'PIX'): Story => {
  of.pay('at_1', { method });
  of.answer('at_1', lost);
  of.pass(5 * SECOND);
  of.query(record('T1', '1000'));
  return of;
};

export const paidWith = (of: Story) => of.order().payments.map(({ transaction_id }) => transaction_id);
export const isHeld = (of: Story) => of.order().hold === 'held';
