import { describe, expect, it } from 'vitest';
import { moment, session } from '../../test/support/payments/sessions.ts';
import { isOver, isWaiting, needsPerson, offersSaving, orderDigest, type SessionState } from './session.ts';

const search = { since: moment(0).toISOString(), looks: 0, needs_attention: false };
const alarmed = { ...search, needs_attention: true };

describe('a session', () => {
  it.each<[SessionState, string[]]>([
    [{ status: 'open' }, []],
    [{ status: 'processing', attempt_id: 'at_1' }, []],
    [{ status: 'redirected', attempt_id: 'at_1' }, ['waiting']],
    [{ status: 'pending', attempt_id: 'at_1', search }, ['waiting']],
    [{ status: 'pending', attempt_id: 'at_1', search: alarmed }, ['waiting', 'person']],
    [{ status: 'unknown', attempt_id: 'at_1', search: { ...search, reason: 'timeout' } }, ['waiting']],
    [{ status: 'unknown', attempt_id: 'at_1', search: { ...alarmed, reason: 'timeout' } }, ['waiting', 'person']],
    [{ status: 'approved', attempt_id: 'at_1', transaction_id: 'T1' }, ['over']],
    [{ status: 'approved', attempt_id: 'at_1', transaction_id: 'T1', needs_attention: true }, ['over', 'person']],
    [{ status: 'failed' }, ['over']],
    [{ status: 'failed', needs_attention: true }, ['over', 'person']],
    [{ status: 'expired' }, ['over']],
    [{ status: 'expired', needs_attention: true }, ['over', 'person']],
  ])('in the state %j is %j', (state, expected) => {
    const one = session('cs_1', { state });
    const traits = { over: isOver, waiting: isWaiting, person: needsPerson };
    for (const [name, is] of Object.entries(traits)) expect(is(one), name).toBe(expected.includes(name));
  });

  it('offers to save a card if the shop lets the shopper choose', () => {
    const { terms } = session();
    expect(offersSaving(terms)).toBe(false);
    expect(offersSaving({ ...terms, keeps_cards: true })).toBe(true);
    expect(offersSaving({ ...terms, keeps_cards: true, order: { ...terms.order, token_flag: '1' } })).toBe(false);
  });

  it('distinguishes orders', () => {
    const { order } = session().terms;
    expect(orderDigest(order)).toBe(orderDigest({ ...order }));
    expect(orderDigest(order)).not.toBe(orderDigest({ ...order, amount: '10.01' }));
  });
});
