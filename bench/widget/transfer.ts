import { get } from 'node:http';
import type { Browser, HTTPRequest } from 'puppeteer-core';
import type { FormCase, Servers } from './servers.ts';
import { openPhone } from './slow-phone.ts';

/** The requests of a shop's page until its form accepts typing, and the bytes of their answers with headers. */
type Transfer = { requests: number; bytes: number };

/** Opens a page, notes its requests until the form accepts typing, and repeats them to count the bytes of their answers. */
export async function measureTransfer(browser: Browser, servers: Servers, formCase: FormCase): Promise<Transfer> {
  const { page, observed, close } = await openPhone(browser);
  try {
    const { url, frameOrigin } = await servers.newPage(formCase);
    const requests: { request: HTTPRequest; at: number }[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith('http')) requests.push({ request, at: Date.now() });
    });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const lastEvent = formCase.form === 'bare' ? 'payVisible' : 'typable';
    const { form } = await observed(frameOrigin, (form) => form[lastEvent] !== undefined);
    const end = form.origin + (form[lastEvent] ?? 0);
    const sizes = await Promise.all(requests.filter(({ at }) => at <= end).map(({ request }) => bytesOf(request)));
    return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } finally {
    await close();
  }
}

/** The bytes at the socket of the answer to a request that is sent again. */
function bytesOf(request: HTTPRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers(), 'accept-encoding': 'gzip, deflate, br', connection: 'close' };
    const asking = get(request.url(), { headers, agent: false }, (res) => {
      const { socket } = res;
      res.resume().on('end', () => resolve(socket.bytesRead));
    });
    asking.on('error', reject);
  });
}
