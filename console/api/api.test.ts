import { expect, it } from 'vitest';
import { apiOf } from './api.ts';

/** The orders of a relay that answers page after page, and which pages it was asked for. */
function reading(...pages: readonly object[]) {
  const asked: (string | null)[] = [];
  const answer = async (path: RequestInfo | URL): Promise<Response> => {
    asked.push(new URL(String(path), 'http://relay.test').searchParams.get('before'));
    return Response.json(pages[asked.length - 1], { headers: { 'Turnpike-Version': '0.1.0' } });
  };
  const surroundings = {
    ...{ fetch: answer, wait: async () => undefined, csrf: () => '', isIdle: () => false },
    signInAgain: async () => undefined,
  };
  return { asked, orders: () => apiOf(surroundings, 'demo').orders(new URLSearchParams({ limit: '50' })) };
}

const order = {
  ...{ order_no: 'A-1', status: 'open', created_at: '2027-01-01T00:00:00.000Z', amount: '1.00', currency: 'BRL' },
  ...{ session_id: 'cs_1', session_status: 'open', needs_attention: false, refunded: '0.00' },
};

it('passes over pages of orders that have none', async () => {
  const { asked, orders } = reading({ orders: [], next: '2-2' }, { orders: [], next: '1-1' }, { orders: [order] });
  expect(await orders()).toEqual({ orders: [order] });
  expect(asked).toEqual([null, '2-2', '1-1']);
});

it('asks the person after ten pages of orders that have none', async () => {
  const { asked, orders } = reading(...Array.from({ length: 20 }, (_, at) => ({ orders: [], next: `${at}-1` })));
  expect(await orders()).toEqual({ orders: [], next: '10-1' });
  expect(asked).toHaveLength(11);
});
