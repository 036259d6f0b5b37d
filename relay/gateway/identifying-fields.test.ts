import { describe, expect, it } from 'vitest';
import { identifyingFields, withoutCards } from './identifying-fields.ts';

describe('the fields of a notification that are kept', () => {
  it('identify a message’s subject and claim, and nothing else', () => {
    const identity = { order_no: 'A-1', transaction_id: '00012345678901234567', reference_no: 'R', request_id: 'r-1' };
    const claim = { order_status: '1', payment_status: '3000', status: 'COMPLETED', result_info: '0000:Success' };
    const others = {
      amount: '1.00',
      card: '411111******1111',
      security_code: '737',
      email: 'ada@example.com',
      note: 'x',
    };
    expect(identifyingFields({ ...identity, ...claim, ...others })).toEqual({ ...identity, ...claim });
  });

  it.each([
    ['long', 'x'.repeat(256)],
    ['empty', ''],
    ['of several lines', 'a\nb'],
    ['not ASCII', '\uff14\uff11\uff11\uff11'],
    ['a number', 1],
    ['an object', { status: '1' }],
    ['nothing', null],
  ])('are short plain texts, so not one that is %s', (_, value) => {
    expect(identifyingFields({ order_no: value })).toEqual({});
  });

  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    'paid with 4111.1111.1111.1111.',
    'x4111111111111111y',
    '378282246310005',
    '6304000000000000000',
  ])('hold no card number, wherever it stands: %s', (text) => {
    for (const field of ['order_no', 'transaction_id', 'status', 'result_info']) {
      const kept = identifyingFields({ [field]: text })[field] ?? '';
      expect(kept).toMatch(/\*{5,}/);
      expect(kept.replace(/\D/g, '').length).toBeLessThanOrEqual(10);
    }
  });

  it('stay unchanged if the gateway signed them, except texts', () => {
    const names = { order_no: '4111111111111111', transaction_id: '4539578763621486' };
    const message = { ...names, result_info: '0000:card 4111 1111 1111 1111' };
    expect(identifyingFields(message, true)).toEqual({ ...names, result_info: '0000:card 411111******1111' });
    const records = { records: [{ ...names, note: '4111111111111111', x4111111111111111: 1 }] };
    const kept = { ...names, note: '411111******1111', 'x411111******1111': 1 };
    expect(withoutCards(records, true)).toEqual({ records: [kept] });
    expect(JSON.stringify(withoutCards(records, false))).not.toMatch(/4539578763621486|4111111111111111/);
  });
});
