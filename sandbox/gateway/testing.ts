import { SaxesParser } from 'saxes';
import { onTestFinished } from 'vitest';
import { queryAnswer } from '../../shared/gateway/query.ts';
import { type Message, sign } from '../../shared/gateway/signature.ts';
import { demoMerchant, parts } from '../demo.ts';
import { listen } from '../listen.ts';
import { createGateway, type GatewayOptions } from './gateway.ts';

const { merchant_id, account_id, signing_secret } = demoMerchant;

/** A gateway on a free port for the length of one test, and what a merchant needs to talk to it. */
export async function startGateway(options: Partial<GatewayOptions> = {}) {
  const gateway = createGateway({ merchants: [demoMerchant], publicUrl: () => server.url, ...options });
  const server = await listen(gateway.app, 0, parts.gateway);
  onTestFinished(() => server.close());

  const post = (path: string, body: string, type = 'application/json', signal?: AbortSignal) =>
    fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'Content-Type': type }, signal: signal ?? null });
  const authorise = (message: Message, signal?: AbortSignal) =>
    post('/v1/authorise', JSON.stringify(signed(message)), 'application/json', signal);
  const query = async (filters: Record<string, string>) => {
    const message = signed({ merchant_id, account_id, ...filters });
    const body = new URLSearchParams(Object.entries(message).map(([name, value]) => [name, String(value)]));
    const response = await post('/v1/retrievalTrans', body.toString(), 'application/x-www-form-urlencoded');
    const answer = queryAnswer.parse(await response.json());
    return { ...answer, orders_list: answer.orders_list ?? [] };
  };
  return { ...gateway, url: server.url, post, authorise, query };
}

/** A message with the demo merchant's right signature. */
export function signed(message: Message): Message {
  return { ...message, encryption_data: sign(message, signing_secret) };
}

/** A card payment as small as it can be. */
export function cardPayment(fields: Message = {}): Message {
  return {
    merchant_id,
    account_id,
    order_no: 'A-1',
    currency: 'BRL',
    amount: '129.90',
    card: '4111111111111111',
    expiration_month: '12',
    expiration_year: '2030',
    security_code: '737',
    ...fields,
  };
}

/** An APM payment as small as it can be. */
export function pixPayment(fields: Message = {}): Message {
  const payment = { merchant_id, account_id, order_no: 'P-1', currency: 'BRL', amount: '129.90' };
  return { ...payment, payment_method: 'PIX', return_url: 'http://127.0.0.1:9/return', ...fields };
}

/** The elements of `respon` and their exact text. Throws when the document is not well formed. */
export async function elements(response: Response): Promise<Record<string, string>> {
  const parser = new SaxesParser();
  const found: Record<string, string> = {};
  const path: string[] = [];
  parser.on('opentag', ({ name }) => {
    path.push(name);
    if (path.length === 2) found[name] = '';
  });
  parser.on('text', (text) => {
    const name = path.length === 2 ? path.at(-1) : undefined;
    if (name !== undefined) found[name] = `${found[name]}${text}`;
  });
  parser.on('closetag', () => path.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(await response.text()).close();
  return found;
}
