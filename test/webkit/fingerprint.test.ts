import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasWebKit } from '../support/browsers/find-webkit.ts';
import { startHost } from '../support/browsers/host-page.ts';
import { type WebKitDocument, webKitWith } from '../support/browsers/webkit.ts';
import { phone } from '../support/relays/stack.ts';

const PAYMENTS = 10;
/** The time between `ready` and the press of the button. */
const FILLING_MS = 4000;

/** Types a card key by key until the button is due: the form is never untouched for longer than a third of a second. */
function typeUntilThen(form: WebKitDocument, forMs: number): Promise<unknown> {
  return form.evaluate((forMs) => {
    const card = { 'cc-number': '4111111111111111', 'cc-exp': '1230', 'cc-csc': '737', 'cc-name': 'Ada Byron' };
    const keys = Object.entries(card).flatMap(([token, text]) => [...text].map((key) => ({ token, key })));
    for (const [at, { token, key }] of keys.entries()) {
      setTimeout(
        () => {
          const input = document.querySelector<HTMLInputElement>(`[autocomplete="${token}"]`);
          if (!input) throw new Error(`no ${token}`);
          input.focus();
          input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          input.value += key;
          input.dispatchEvent(new InputEvent('input', { data: key, inputType: 'insertText', bubbles: true }));
        },
        (forMs / keys.length) * at,
      );
    }
  }, forMs);
}

describe.runIf(hasWebKit)('a phone with WebKit that is four times slower', () => {
  const open = webKitWith({ args: ['--cookies-policy=no-third-party', '--enable-itp'], size: phone, slower: 4 });

  it('sends a fingerprint with each of ten payments, four seconds after ready', async () => {
    const { relay, loader, put } = await startHost();
    const browser = open();
    const { page, form } = browser;
    const carried: boolean[] = [];
    while (carried.length < PAYMENTS) {
      const { id, secret } = await relay.session({ payment_methods: [{ type: 'card' }] });
      await browser.goto(put({ head: loader, body: `<turnpike-checkout session="${secret}"></turnpike-checkout>` }));
      await page.waitForText(/^ready$/m);
      const due = sleep(FILLING_MS);
      await typeUntilThen(form, FILLING_MS - 300);
      await due;
      await form.click('button');
      await browser.waitForResult('approved');
      const { attempts } = await relay.truth(id);
      carried.push(!JSON.stringify(attempts).includes('"device_fingerprint":"missing"'));
    }
    expect(carried).toEqual(Array(PAYMENTS).fill(true));
  });
});
