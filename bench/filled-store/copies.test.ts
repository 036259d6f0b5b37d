import { describe, expect, it } from 'vitest';
import { copiesOf, orderNo } from './copies.ts';
import type { StoredRow, Template } from './template.ts';

const since = Date.parse('2027-03-31T10:00:00.000Z');
const now = since + 3_600_000;
const id = `cs_${since.toString(36).padStart(8, '0')}Zk3v9qP1mXw7LrT5bNc2HyGd`;
const transaction = '20270331101501000042';
const order: StoredRow = {
  ...{ id, order_no: 'C00000007', status: 'open', at: '2027-03-31T10:00:00.000Z' },
  ...{ expires_at: '2027-03-31T11:00:00.000Z', data: JSON.stringify({ session_id: id, transaction }) },
};
const template: Template = {
  usual: new Map([
    ['sessions', [order]],
    ['audit', [{ seq: 3 }]],
    ['audit_terms', [{ term: 'order C00000007', seq: 3 }]],
  ]),
  waiting: new Map([['orders', [{ order_no: 'C00000101', next_query_at: '2027-03-31T10:01:00.000Z' }]]]),
  since,
};

const span = { blocks: 100, days: 10, now };
const all = [...copiesOf(template, span)];
const cells = (table: string, column: string) =>
  all.flat().flatMap((one) => (one.table === table ? one.rows.map((row) => row[one.columns.indexOf(column)]) : []));

describe('the copies of a template', () => {
  it('have their own ids, numbers and transactions', () => {
    for (const [table, column] of [
      ['sessions', 'id'],
      ['sessions', 'order_no'],
      ['sessions', 'data'],
      ['audit', 'seq'],
    ] as const) {
      expect(new Set(cells(table, column)).size).toBe(100);
    }
    expect(cells('sessions', 'order_no')[41]).toBe(orderNo('C00000007', 41));
  });

  it('refer to their own rows', () => {
    const ids = cells('sessions', 'id');
    expect(cells('sessions', 'data').map((text) => JSON.parse(String(text)).session_id)).toEqual(ids);
    expect(cells('audit_terms', 'seq')).toEqual(cells('audit', 'seq'));
    expect(cells('audit_terms', 'term')[5]).toBe(`order ${orderNo('C00000007', 5)}`);
  });

  it('are spread over the days before now, in order', () => {
    const moments = cells('sessions', 'at').map((at) => Date.parse(String(at)));
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    expect(now - (moments[0] ?? 0)).toBeGreaterThan(9.8 * 86_400_000);
    expect(now - (moments.at(-1) ?? 0)).toBeLessThan(120_000);
  });

  it('leave nothing for a relay to do', () => {
    const dues = [...cells('orders', 'next_query_at'), ...cells('sessions', 'expires_at')];
    expect(dues).toHaveLength(102);
    for (const due of dues) expect(Date.parse(String(due))).toBeGreaterThan(now);
  });
});
