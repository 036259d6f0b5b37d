import { describe, expect, it } from 'vitest';
import { operationCases } from '../../test/support/gateways/operation-cases.ts';
import { profile } from '../gateway/profile.ts';
import { messageOf } from './request.ts';

const defaults = profile.parse({});
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `N-${at}`);
const capture = { transaction_id: 'T', currency: 'JPY', amount: '1000.00' };
const captures = (count: number) => ({
  capture_orders: names(count).map((transaction_id) => ({ ...capture, transaction_id })),
});

/** The problem with a request. */
function problemOf(run: () => unknown): { code: string; message: string; errors: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'errors' in error) {
      return { code: String(error.code), message: error.message, errors: error.errors };
    }
    throw error;
  }
  throw new Error('no problem');
}

describe('a request of a shop', () => {
  it.each([
    'query',
    'refund',
    'refund_search',
    'review',
    'capture',
    'cancel',
    'subscription_cancel',
    'payout',
  ] as const)('becomes the message of a %s', (name) => {
    const { full, wire = full } = operationCases[name];
    expect(messageOf(name, full, defaults)).toEqual(wire);
  });

  it('is of an operation that has a route', () => {
    expect(() => messageOf('direct_payment', {}, defaults)).toThrow(new TypeError('direct_payment has no route'));
  });

  it.each([undefined, null, 'x', []])('is an object: not %j', (body) => {
    expect(problemOf(() => messageOf('capture', body, defaults)).code).toBe('invalid_request');
  });

  it('keeps its references, none of which may be a card number', () => {
    const body = { ...captures(3), references: ['one', '4111 1111 1111 1111', '5555555555554444'] };
    expect(problemOf(() => messageOf('capture', body, defaults))).toEqual({
      code: 'invalid_request',
      message: 'Correct the fields that `errors` names.',
      errors: [
        { path: 'references.1', message: 'must not be a card number' },
        { path: 'references.2', message: 'must not be a card number' },
      ],
    });
    const references = ['a', 'b', 'c'];
    expect(messageOf('capture', { ...captures(3), references }, defaults)).toMatchObject({ references });
  });
});

describe('the lists of a request', () => {
  it('have at most as many entries as the gateway takes', () => {
    expect(messageOf('capture', captures(50), defaults)).toHaveProperty('capture_orders.length', 50);
    expect(problemOf(() => messageOf('capture', captures(51), defaults))).toEqual({
      code: 'batch_too_large',
      message: 'Send at most 50 entries in capture_orders.',
      errors: [{ path: 'capture_orders', message: 'has 51 entries; at most 50 are allowed' }],
    });
  });

  it('count together', () => {
    expect(messageOf('query', { orders: names(60), trades: names(40) }, defaults)).toEqual({
      orders: names(60).join(','),
      trades: names(40).join(','),
    });
    expect(problemOf(() => messageOf('query', { orders: names(60), trades: names(41) }, defaults))).toEqual({
      code: 'batch_too_large',
      message: 'Send at most 100 entries in orders, trades together.',
      errors: [
        { path: 'orders', message: 'has 60 entries; at most 100 are allowed together' },
        { path: 'trades', message: 'has 41 entries; at most 100 are allowed together' },
      ],
    });
    expect(problemOf(() => messageOf('query', { orders: names(101), trades: [] }, defaults))).toMatchObject({
      message: 'Send at most 100 entries in orders.',
    });
  });

  it('are joined by the separator, which no entry may contain', () => {
    const piped = profile.parse({ list_separator: '|' });
    expect(messageOf('query', { orders: ['A,1', 'B'], order_status: '1' }, piped)).toEqual({
      orders: 'A,1|B',
      order_status: '1',
    });
    expect(problemOf(() => messageOf('query', { orders: ['A', 'B|C'], trades: ['|'] }, piped))).toEqual({
      code: 'invalid_request',
      message: 'Correct the fields that `errors` names.',
      errors: [
        { path: 'orders.1', message: 'must not contain "|"' },
        { path: 'trades.0', message: 'must not contain "|"' },
      ],
    });
  });

  it('are left out where they are empty', () => {
    expect(messageOf('query', { orders: ['A'], trades: [] }, defaults)).toEqual({ orders: 'A' });
  });
});

describe('the filters of a request', () => {
  it.each([{}, { orders: [] }, { order_status: '1' }, { query_start: '2026-11-01 00:00:00' }])(
    'of a query name one whole group: not %j',
    (body) => {
      const known = 'orders, or trades, or query_start with query_end';
      expect(problemOf(() => messageOf('query', body, defaults))).toEqual({
        code: 'invalid_request',
        message: `Say what to look for: ${known}.`,
        errors: [{ path: '', message: `give at least one of: ${known}` }],
      });
    },
  );

  it('of a query are those that the profile asks for', () => {
    const period = { query_start: '2026-11-01 00:00:00', query_end: '2026-11-02 00:00:00' };
    expect(messageOf('query', period, defaults)).toEqual(period);
    expect(messageOf('query', {}, profile.parse({ query_requires: [[]] }))).toEqual({});
    const byTrade = profile.parse({ query_requires: [['trades']] });
    expect(problemOf(() => messageOf('query', { orders: ['A'] }, byTrade)).message).toBe(
      'Say what to look for: trades.',
    );
  });

  it('of a refund search are any of its lists', () => {
    for (const list of ['refund_orders', 'refund_references', 'merchant_refunds']) {
      expect(messageOf('refund_search', { [list]: ['A'] }, defaults)).toEqual({ [list]: 'A' });
    }
    expect(problemOf(() => messageOf('refund_search', {}, profile.parse({ query_requires: [[]] }))).message).toBe(
      'Say what to look for: refund_orders, or refund_references, or merchant_refunds.',
    );
  });
});
