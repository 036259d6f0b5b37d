import { operations } from '../../shared/gateway/operations.ts';
import { unknownOutcome } from '../support/gateways/compliant-gateway.ts';
import { operationCases } from '../support/gateways/operation-cases.ts';
import { apiKey, card, order, type startTestRelay } from '../support/relays/relay.ts';

/** One POST route with a JSON body, and a body that it accepts. */
export type Target = {
  name: string;
  path: string;
  bearer: string;
  /** A valid body without values that may be used only once. */
  body: () => Record<string, unknown>;
};

const uuid = (): string => crypto.randomUUID();

/** Every POST route of the relay with a JSON body: those of the operation table and the others. */
export async function targetsOf(relay: Awaited<ReturnType<typeof startTestRelay>>): Promise<Target[]> {
  const session = await relay.session({
    collect: ['billing_address'],
    payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }],
  });
  const unknown = { transaction_id: unknownOutcome, currency: 'BRL', amount: '1.00' };
  const operation = await relay.post('/v1/capture', apiKey, { capture_orders: [unknown] });
  const cases = Object.entries(operationCases).map(([name, { full }]): Target => {
    const route = Object.entries(operations).find(([candidate]) => candidate === name)?.[1];
    const path = route && 'route' in route ? route.route.path : '';
    return {
      name,
      path,
      bearer: apiKey,
      body: () => ({ ...full, ...(name === 'payout' ? { request_id: uuid() } : {}) }),
    };
  });
  const shopper = { first_name: 'Ada', last_name: 'Byron', billing_country: 'BR', billing_city: 'Recife' };
  const details = {
    ...shopper,
    note: 'n',
    document: 'd',
    items: [{ name: 'Tea', code: 'T', price: '1.00', quantity: 1 }],
  };
  return [
    ...cases,
    {
      name: 'session',
      path: '/v1/sessions',
      bearer: apiKey,
      body: () => ({ order: { ...order(), ...details }, return_url: 'demoapp://paid', locale: 'pt-BR' }),
    },
    { name: 'card payment', path: '/v1/payments', bearer: apiKey, body: () => ({ ...order(), ...details, ...card }) },
    {
      name: 'token payment',
      path: '/v1/payments',
      bearer: apiKey,
      body: () => ({ ...order(), ...details, token_id: 'tok-1' }),
    },
    {
      name: 'APM payment',
      path: '/v1/payments',
      bearer: apiKey,
      body: () => ({
        ...order(),
        ...details,
        payment_method: 'PIX',
        return_url: 'demoapp://paid',
        person: shopperOf(),
      }),
    },
    {
      name: 'settle',
      path: `/v1/operations/${operation.headers.get('x-operation-id')}/settle`,
      bearer: apiKey,
      body: () => ({ outcome: 'failed', items: ['failed'], note: 'n' }),
    },
    {
      name: 'reconciliation',
      path: '/v1/reconciliations',
      bearer: apiKey,
      body: () => ({
        ...{ from: '2027-03-30T00:00:00Z', to: '2027-03-31T00:00:00Z', orders: 1, total: 1 },
        differences: [
          {
            ...{ class: 'amount', order_no: 'A-1', refund_reference_id: 'R1' },
            ...{ here: { status: 'paid', amount: '1', currency: 'BRL' } },
          },
        ],
      }),
    },
    {
      name: 'pay by card',
      path: '/checkout/api/pay',
      bearer: session.secret,
      body: () => ({
        ...card,
        ...shopper,
        device: { browser_lang: 'pt', time_zone: 'Z' },
      }),
    },
    {
      name: 'pay by APM',
      path: '/checkout/api/pay',
      bearer: session.secret,
      body: () => ({ payment_method: 'PIX', bank_code: '1', person: shopperOf(), device: { os: 'o' } }),
    },
  ];
}

function shopperOf(): object {
  return { document_number: '1', social_name: 'Ada', documents: { labels: { bank_account: { bank: { code: '1' } } } } };
}

/** The place of a text in a body: the dotted path by which problems name it. */
type Leaf = { path: string; name: string };

/** Every place of a text in a body, nested objects included. */
export function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value === 'string')
    return [{ path: path.join('.'), name: path.findLast((part) => !/^\d+$/.test(part)) ?? '' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** A copy of a body with another value at a dotted path. */
export function withValue(body: unknown, path: string, value: unknown): unknown {
  const [first = '', ...rest] = path.split('.');
  if (Array.isArray(body)) {
    const at = Number(first);
    return body.with(at, rest.length === 0 ? value : withValue(body[at], rest.join('.'), value));
  }
  const fields: Record<string, unknown> = { ...Object(body) };
  return { ...fields, [first]: rest.length === 0 ? value : withValue(fields[first], rest.join('.'), value) };
}
