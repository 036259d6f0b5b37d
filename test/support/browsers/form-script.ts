import type { BrowserContext } from 'playwright-core';

const SCRIPT = /<script type="module">([\s\S]*?)<\/script>/;
const HELD = '/form/held.js';

/**
 * Holds the form's inline script and everything that it loads until the returned function is called. Must be called
 * before the page is opened.
 */
export async function holdFormScript(context: BrowserContext): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let code: string | undefined;
  await changePages(context, (text) => {
    code = SCRIPT.exec(text)?.[1];
    return text.replace(SCRIPT, `<script type="module" src="${HELD}"></script>`);
  });
  await context.route('**/form/**', async (route) => {
    await promise;
    if (!route.request().url().endsWith(HELD)) await route.continue();
    else await route.fulfill({ contentType: 'text/javascript', body: code ?? '' });
  });
  return resolve;
}

/** Removes the form's script from its pages: they appear but never start. */
export async function loseFormScript(context: BrowserContext): Promise<void> {
  await changePages(context, (text) => text.replace(SCRIPT, ''));
}

async function changePages(context: BrowserContext, change: (text: string) => string): Promise<void> {
  await context.route('**/checkout/cs_*', async (route) => {
    const request = route.request();
    const framed = request.frame().parentFrame() !== null;
    const headers = { ...request.headers(), 'sec-fetch-dest': framed ? 'iframe' : 'document' };
    const response = await route.fetch({ headers });
    // A form that changes its language requests only texts.
    if (!response.headers()['content-type']?.startsWith('text/html')) return route.fulfill({ response });
    // Fails if the test is over and its context closes.
    const text = await response.text().catch(() => undefined);
    if (text === undefined) return;
    if (!SCRIPT.test(text)) throw new Error('the page has no script of the form');
    await route.fulfill({ response, body: change(text) });
  });
}
