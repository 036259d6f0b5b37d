import { describe, expect, it } from 'vitest';
import {
  approval,
  type Received,
  type Script,
  scriptedGateway,
  sendRecords,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { card, startTestRelay } from '../../support/relays/relay.ts';

const pan = '4000001234567899';
const code = '9173';
const spaced = '4000 0012 3456 7899';
const dashed = '4000-0012-3456-7899';
const dotted = '4000.0012.3456.7899';
const escaped = [...pan].map((digit) => `&#${digit.charCodeAt(0)};`).join('');
const inJson = pan.replaceAll(/\d/g, '\\u003$&');
const encoded = spaced.replaceAll(' ', '%20');

const body =
  (status: number, text: (received: Received) => string): Script =>
  (received, res) =>
    void res.writeHead(status).end(text(received));
const approvalWith = (change: Record<string, string>): Script =>
  body(200, (received) => signedXml({ ...approval(received), ...change }));

/** Ways in which a gateway may print the message that it received. */
const echoes: Record<string, Script> = {
  'in an element of an approval': approvalWith({ note: pan, connector: `cvv ${code}`, recurring_id: `r-${pan}` }),
  'as the masked card of an approval': approvalWith({ card: pan }),
  'with spaces, as the masked card': approvalWith({ card: spaced }),
  'in the message of a decline': approvalWith({ order_status: '0', result_info: `2003:${spaced}, ${code} is wrong` }),
  'with dashes in the message of a decline': approvalWith({ order_status: '0', result_info: `2003:${dashed}` }),
  'as the code of a decline': approvalWith({ order_status: '0', result_info: `${pan}:no` }),
  'as its transaction_id': approvalWith({ transaction_id: pan }),
  'as a code that no book lists': approvalWith({ order_status: pan, result_info: `${dotted}:${code}` }),
  'in an attribute': body(200, (r) => `<respon card="${spaced}" cvv='${code}'><dump>${r.raw}</dump></respon>`),
  'in HTML': body(500, (r) => `<pre>${r.raw}</pre><td>${dashed}</td><td>${spaced}</td> cvv=${code}`),
  'in HTML, escaped': body(500, () => `<td>${escaped}</td><td>${encoded}</td>`),
  'with other separators': body(
    502,
    () => `${dotted} ${spaced.replaceAll(' ', '\u00a0')} ${spaced.replaceAll(' ', '  ')}`,
  ),
  'in lines of their own': body(502, () => spaced.replaceAll(' ', '\n')),
  'across the place where evidence is cut': body(502, () => `${'x'.repeat(1990)}${pan}${code}`),
  'across the place where evidence is read no more': body(502, () => `${'x'.repeat(16_376)}${pan}`),
  'in JSON with escapes': body(200, () => `{"card":"${inJson}"}`),
  'in a refusal': body(400, (r) => `Invalid input: ${r.raw}`),
  'in headers': (received, res) =>
    void res.writeHead(500, { 'x-card': pan, 'x-cvv': code, location: `/?card=${pan}` }).end(received.raw),
  'in its status line': (_received, res, req) =>
    void req.socket.end(`HTTP/1.1 500 Card ${pan} cvv ${code}\r\ncontent-length: 0\r\n\r\n`, () => res.destroy()),
  'in broken HTTP': (_received, _res, req) => void req.socket.end(`${pan} ${code}\r\n\r\n`),
};

/** The number with any short text between its digits. */
const anySpelling = new RegExp([...pan].join('(?:[^0-9]{0,3}|%20)'));

describe('no file, log or answer shows card data that a gateway prints', () => {
  for (const [what, script] of Object.entries(echoes)) {
    it(what, async () => {
      const gateway = await scriptedGateway((received, res, req) => {
        if (received.path === '/v1/authorise') script(received, res, req);
        else sendRecords(res, [{ order_no: pan, decline_reason: `${spaced} ${code}`, payment_status: dashed }]);
      });
      const relay = await startTestRelay({ gatewayUrl: gateway.url });
      const { secret, id } = await relay.session();
      await relay.pay(secret, { ...card, card: pan, security_code: code });
      await relay.truth(id);
      await relay.get('/checkout/api/session', secret);
      await relay.send(`/return/${id}`);

      expect(gateway.authorised()[0]?.raw).toContain(pan);
      for (const text of [...relay.files(), ...relay.logLines, ...relay.answers]) {
        for (const spelling of [escaped, inJson]) expect(text.replaceAll('\\\\', '\\')).not.toContain(spelling);
        expect(anySpelling.exec(text)?.[0]).toBeUndefined();
        expect(text).not.toMatch(new RegExp(`(?<![\\w-])${code}(?![\\w-])`));
      }
    });
  }
});
