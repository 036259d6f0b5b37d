import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { bodiesOf } from '../../support/relays/bodies.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

/**
 * Rules that JSON Schema cannot express and that the document states in text: the addresses that the account's
 * configuration allows, the decimals of a currency, the fields that an item needs for a payment unknown to the relay,
 * the limit of a refund, the currency of operations, unique names of methods, and the order of dates.
 */
const beyondSchemas =
  /^return_url$|\.refund_amount$|^(refund|review|capture|cancel)_orders\.\d+\.currency$|^payment_methods$|^query_end$|person\.birth_date$|subscription\.contract_(start|end|amount)$|(^|\.)((payment_|source_)?amount|item_total|shipping|handling|tax_total|insurance|shipping_discount|discount|price)$/;

describe('a body that the document calls valid', () => {
  const { document } = documented();

  it.each([
    ['/v1/sessions', 'CreateSession'],
    ['/v1/payments', 'CreatePayment'],
    ['/v1/query', 'Query'],
    ['/v1/refund', 'Refund'],
    ['/v1/refund/search', 'RefundSearch'],
    ['/v1/orders/{order_no}/refund', 'RefundOrder'],
    ['/v1/orders/{order_no}/capture', 'CaptureOrder'],
    ['/v1/orders/{order_no}/cancel', 'CancelOrder'],
    ['/v1/orders/{order_no}/review', 'ReviewOrder'],
    ['/v1/review', 'Review'],
    ['/v1/capture', 'Capture'],
    ['/v1/cancel', 'Cancel'],
    ['/v1/subscription/cancel', 'SubscriptionCancel'],
    ['/v1/payout', 'Payout'],
  ])('is accepted by %s', async (path, name) => {
    const gateway = await scriptedGateway(compliant);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const reference = documented();
    await fc.assert(
      fc.asyncProperty(bodiesOf(document, name), async (body) => {
        fc.pre(reference.isValidBody(path, body));
        const answer = await relay.post(path, apiKey, body);
        expect(answer.status, `${JSON.stringify(body)}: ${answer.text}`).toBeLessThan(500);
        reference.check('post', path, answer);
        // Another body may have made another spelling known.
        if (answer.status !== 400 || answer.body.code === 'transaction_id_form') return;
        const errors = z.array(z.object({ path: z.string().regex(beyondSchemas) })).safeParse(answer.body.errors);
        expect(errors.success, `${JSON.stringify(body)}: ${answer.text}`).toBe(true);
        for (const { path: wrong } of errors.data ?? []) {
          expect(reference.rulesOf(path)).toContain(`\`${wrong.split('.').at(-1)}\``);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is accepted by PATCH /v1/sessions/{id}, whatever the previous order', async () => {
    const gateway = await scriptedGateway(compliant);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const reference = documented();
    const path = '/v1/sessions/{id}';
    const { id } = await relay.session();
    await fc.assert(
      fc.asyncProperty(bodiesOf(document, 'UpdateSession'), async (body) => {
        fc.pre(reference.isValidBody(path, body, 'patch'));
        const answer = await relay.send(`/v1/sessions/${id}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        reference.check('patch', path, answer);
        if (answer.status === 200) return;
        const wrong = z.array(z.object({ path: z.string() })).parse(answer.body.errors);
        for (const error of wrong) {
          expect(error.path, JSON.stringify(body)).toMatch(
            /order\.order_no$|person\.birth_date$|subscription\.contract_(start|end|amount)$|(order|\d)\.(amount|item_total|shipping|handling|tax_total|insurance|shipping_discount|discount|price)$/,
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});
