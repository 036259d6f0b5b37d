import { expect, it } from 'vitest';
import { apiOf } from './api.ts';

/** The orders of a relay that answers one page at a time, and the pages that were requested. */
function reading(...pages: readonly object[]) {
  const requests: (string | null)[] = [];
  const answer = async (path: RequestInfo | URL): Promise<Response> => {
    requests.push(new URL(String(path), 'http://relay.test').searchParams.get('before'));
    return Response.json(pages[requests.length - 1], { headers: { 'Turnpike-Version': '0.1.0' } });
  };
  const surroundings = {
    ...{ fetch: answer, wait: async () => undefined, csrf: () => '', isIdle: () => false },
    signInAgain: async () => undefined,
  };
  return { requests, orders: () => apiOf(surroundings, 'demo').orders(new URLSearchParams({ limit: '50' })) };
}

const order = {
  ...{ order_no: 'A-1', status: 'open', created_at: '2027-01-01T00:00:00.000Z', amount: '1.00', currency: 'BRL' },
  ...{ session_id: 'cs_1', session_status: 'open', needs_attention: false, refunded: '0.00' },
};

it('passes over pages of orders that have none', async () => {
  const { requests, orders } = reading({ orders: [], next: '2-2' }, { orders: [], next: '1-1' }, { orders: [order] });
  expect(await orders()).toEqual({ orders: [order] });
  expect(requests).toEqual([null, '2-2', '1-1']);
});

it('asks the person after ten pages of orders that have none', async () => {
  const { requests, orders } = reading(...Array.from({ length: 20 }, (_, at) => ({ orders: [], next: `${at}-1` })));
  expect(await orders()).toEqual({ orders: [], next: '10-1' });
  expect(requests).toHaveLength(11);
});
