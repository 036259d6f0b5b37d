import { serve } from '../http/http-server.ts';
import { startTestRelay } from '../relays/relay.ts';
import { type Received, scriptedGateway, sendRecords, sendXml, signedXml, xml } from './scripted-gateway.ts';

/** The methods of a session in these tests. */
export const methods = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };

/** The browser's request to pay with it. */
export const pix = { payment_method: 'PIX', device: { browser_lang: 'pt-BR', color_depth: '24' } };

/** The answer of §2.3 to a payment. */
export function redirection({ message }: Received, issuer_url: string): Record<string, string> {
  const { merchant_id, account_id, order_no, amount, currency } = message;
  const echo = Object.entries({ merchant_id, account_id, order_no, amount, currency });
  return { ...Object.fromEntries(echo.map(([name, value]) => [name, String(value)])), issuer_url };
}

/** A gateway with its own issuer page, behind a redirect, and records that the test writes. */
export async function setUpIssuer(options: { config?: Record<string, unknown>; signed?: boolean } = {}) {
  const visits: string[] = [];
  const issuer = await serve((req, res) => {
    visits.push(req.url ?? '');
    if (req.url === '/start') res.writeHead(302, { location: '/page?p=1' }).end();
    else res.end('<h1>Bank</h1>');
  });
  const books: { status?: string } = {};
  const gateway = await scriptedGateway((received, res) => {
    if (received.path === '/v1/authorise') {
      const answer = redirection(received, `${issuer.url}/start`);
      return sendXml(res, options.signed === false ? xml(answer) : signedXml(answer));
    }
    const { amount, currency, order_no } = gateway.authorised().at(-1)?.message ?? {};
    const record = { amount, currency, order_no, transaction_id: 'T1', payment_status: books.status };
    sendRecords(res, books.status === undefined ? [] : [record]);
  });
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    ...(options.config ? { config: options.config } : {}),
  });
  return { issuer, visits, books, gateway, relay };
}
