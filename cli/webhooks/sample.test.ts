import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { withValues } from './sample.ts';

const sample = { type: 'x', data: { amount: '129.90', looks: 2, late: true, items: [{ status: 'succeeded' }] } };

describe('values set in a sample', () => {
  it.each([
    ['data.amount=12.00', { amount: '12.00' }],
    ['data.amount=', { amount: '' }],
    ['data.looks=7', { looks: 7 }],
    ['data.late=false', { late: false }],
    ['data.items.0.status=failed', { items: [{ status: 'failed' }] }],
    ['data.note=a=b', { note: 'a=b' }],
    ['data.order_changed=true', { order_changed: true }],
    ['data.note=trueness', { note: 'trueness' }],
    ['data.items=[]', { items: [] }],
    ['data.card={"last4":"1111"}', { card: { last4: '1111' } }],
  ])('are of the kind that stands there: %s', (assignment, expected) => {
    expect(withValues(sample, [assignment])).toEqual({ ...sample, data: { ...sample.data, ...expected } });
  });

  it('leave the sample as it was', () => {
    const before = structuredClone(sample);
    withValues(sample, ['data.amount=1.00']);
    expect(sample).toEqual(before);
  });

  it.each([
    'data.amount',
    '=1',
    'data.=1',
    'nothing.there=1',
    'data.amount.x=1',
    'data.looks=many',
    'data.__proto__.x=1',
  ])('are refused where they lead nowhere: %s', (assignment) => {
    expect(() => withValues(sample, [assignment])).toThrow(UsageError);
  });
});
