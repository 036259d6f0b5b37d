import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readXmlAnswer } from '../../../relay/gateway/answers/read-answer.ts';
import { identifierIn } from '../../../relay/gateway/outcome.ts';
import { directPaymentAnswer } from '../../../shared/gateway/direct-payment.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { approval, scriptedGateway, sendXml } from '../../support/gateways/scripted-gateway.ts';
import { plainText } from '../../support/payments/arbitrary.ts';
import { account, apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

const names = Object.keys(directPaymentAnswer.shape);
const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** One character in a random XML spelling. A raw carriage return would be read as a line end. */
function spell(character: string, way: number): string {
  const code = character.codePointAt(0) ?? 0;
  const numeric = [`&#${code};`, `&#x${code.toString(16)};`, `&#x${code.toString(16).toUpperCase()};`, `&#000${code};`];
  if (way < numeric.length) return numeric[way] ?? '';
  if (way > 5 && character !== '&' && character !== '<' && character !== '>' && character !== '\r') return character;
  return named[character] ?? (character === '\r' ? '&#13;' : character);
}

/** A text as the content of an element: each character in a random spelling, sometimes in a CDATA section. */
const spelt = (text: string): fc.Arbitrary<string> => {
  const characters = [...text];
  const asText = fc
    .array(fc.nat({ max: 11 }), { minLength: characters.length, maxLength: characters.length })
    .map((ways) => characters.map((character, at) => spell(character, ways[at] ?? 0)).join(''));
  if (text.includes('\r')) return asText;
  return fc.oneof(
    { weight: 4, arbitrary: asText },
    fc.constant(`<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`),
  );
};

const between = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\n  ',
  '\r\n\t',
  '<!-- <order_status>1</order_status> -->',
  '<?php echo 1 ?>',
);
const start = fc.constantFrom(
  '',
  '<?xml version="1.0"?>',
  '<?xml version="1.0" encoding="UTF-8"?>\n',
  '\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes" ?>',
);

/** An answer, and an XML document that contains it. */
const documents = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names, 'a_field_of_next_year'), plainText()), { selector: ([name]) => name })
  .chain((fields) =>
    fc
      .tuple(
        start,
        fc.tuple(
          ...fields.map(([name, text]) =>
            fc.tuple(between, fc.constant(name), spelt(text), fc.constantFrom('', ' ', ' a="1"')),
          ),
        ),
        between,
      )
      .map(([head, elements, tail]) => {
        const inner = elements.map(([gap, name, text, extra]) => `${gap}<${name}${extra}>${text}</${name}>`).join('');
        return { fields: Object.fromEntries(fields), document: `${head}<respon>${inner}${tail}</respon>${tail}` };
      }),
  );

it('reads the same values from every spelling of a document', () => {
  fc.assert(
    fc.property(documents, ({ fields, document }) => {
      expect(readXmlAnswer(Buffer.from(document, 'utf8'))).toEqual(fields);
    }),
    { numRuns: 400 },
  );
});

it('reads nothing from a truncated document', () => {
  fc.assert(
    fc.property(documents, fc.double({ min: 0, max: 1, noNaN: true }), ({ document }, share) => {
      const bytes = Buffer.from(document, 'utf8');
      const end = bytes.lastIndexOf('</respon>') + '</respon>'.length - 1;
      expect(() => readXmlAnswer(bytes.subarray(0, Math.floor(end * share)))).toThrow();
    }),
    { numRuns: 100 },
  );
});

it('returns an approving answer to the shop, in any spelling', async () => {
  const text = plainText({ minLength: 1 }).filter((value) => !/\d{3}/.test(value));
  const name = text.filter((value) => identifierIn(value) !== undefined);
  const next = { document: '', fields: {} };
  const gateway = await scriptedGateway((_received, res) => sendXml(res, next.document));
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store: 'sqlite::memory:' } });
  const values = fc.record({ transaction_id: name, recurring_id: name, note: plainText(), message: text });
  await fc.assert(
    fc.asyncProperty(values, fc.infiniteStream(fc.nat({ max: 11 })), async ({ message, ...answer }, ways) => {
      const bought = order();
      const echo = approval({ message: { ...bought, ...account } });
      const fields = { ...echo, ...answer, result_info: `0000:${message}` };
      const signed = { ...fields, encryption_data: sign(fields, account.signingSecret) };
      const inner = Object.entries(signed).map(([name, value]) => {
        const written = [...value].map((character) => spell(character, ways.next().value ?? 0)).join('');
        return `<${name}>${written}</${name}>`;
      });
      next.document = `<respon>${inner.join('')}</respon>`;
      const { transaction_id, recurring_id } = answer;
      const { status, body, text: got } = await relay.post('/v1/payments', apiKey, { ...bought, ...card });
      expect(status, got).toBe(200);
      expect(body).toMatchObject({
        status: 'approved',
        transaction_id,
        recurring_id,
        result: { code: '0000', message },
      });
      expect(await relay.truth(String(body.id))).toMatchObject({ status: 'approved', transaction_id, recurring_id });
    }),
    { numRuns: 60 },
  );
});
