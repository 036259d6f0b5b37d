import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { startHost } from '../browsers/host-page.ts';
import { desktop, formIn, openPage, waitForEvent } from '../relays/stack.ts';

/** The environment of a reader who runs a page's code: a shop, a relay, and a session to pay. */
export type Reader = Awaited<ReturnType<typeof startReader>>;

/** A shop with one open session, and a browser. `session` is the shop's input for the session. */
export async function startReader(browser: Browser, { session = {}, viewport = desktop } = {}) {
  const host = await startHost();
  const { relay } = host;
  const made = await relay.session(session);
  const watched = await openPage(browser, viewport);
  const { page } = watched;
  return {
    ...host,
    ...watched,
    made,
    /** A block's code with this reader's values in place of the page's placeholders. */
    own: (code: string) =>
      code
        .replaceAll('https://pay.example', relay.url)
        .replaceAll('CLIENT_SECRET', made.secret)
        .replaceAll('CHECKOUT_URL', made.checkoutUrl)
        .replaceAll('SESSION_ID', made.id),
    /** Opens a page of the shop that contains this; `script` runs after the page has loaded. */
    async open(body: string, { script = '', csp, head = '' }: { script?: string; csp?: string; head?: string } = {}) {
      const whenLoaded = `addEventListener('load', async () => {\n${script}\n});`;
      await page.goto(host.put({ body, head, ...(csp === undefined ? {} : { csp }) }, script && whenLoaded));
    },
    form: formIn(page),
    /** Waits for an event of the checkout in the page's HTML. */
    waitForEvent: (text: string) => waitForEvent(page, text),
    paid: () => host.gateway.payments.list().filter(({ state }) => state.status === 'approved'),
  };
}

/** Runs code as a Node module and returns the printed lines. */
export async function runModule(code: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return stdout.trim().split('\n');
}

/** The element, for pages that do not show it. */
export const element = '<turnpike-checkout session="CLIENT_SECRET"></turnpike-checkout>';

/**
 * A reader with an open page that contains a block's code, or `element`, and loads the checkout unless the code does.
 */
export async function openWith(
  browser: Browser,
  code: string,
  more: Parameters<Reader['open']>[1] = {},
): Promise<Reader> {
  const reader = await startReader(browser);
  const { own, loader, open } = reader;
  const head = `${code.includes('turnpike.js') ? '' : loader}${more.head ?? ''}`;
  await open(own(code), { ...more, head: own(head), script: own(more.script ?? '') });
  return reader;
}

/** Fills in an approved card, or another, and presses the button, once the form handles presses. */
export async function payWith(form: FrameLocator | Page, number = '4111111111111111'): Promise<void> {
  await form.locator('html[data-looked]').waitFor({ state: 'attached' });
  await form.locator('[autocomplete="cc-number"]').fill(number);
  await form.locator('[autocomplete="cc-exp"]').fill('12/30');
  await form.locator('[autocomplete="cc-csc"]').fill('737');
  await form.locator('[autocomplete="cc-name"]').fill('Ada Byron');
  await form.locator('button[type=submit]').click();
}
