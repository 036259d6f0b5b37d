import { get } from 'node:http';
import type { Browser, HTTPRequest } from 'puppeteer-core';
import { visit } from './slow-phone.ts';
import type { Case, Stage } from './stage.ts';

/** What a shop's page costs until its form can be typed into. Bytes are those of the answers, with their headers. */
export type Wire = { requests: number; bytes: number };

/** Opens a page without any slowness, notes what it asks for until its form can be typed into, and weighs the answers. */
export async function weigh(browser: Browser, stage: Stage, kind: Case): Promise<Wire> {
  const { page, seen, close } = await visit(browser);
  try {
    const { url, frameOrigin } = await stage.open(kind);
    const asked: { request: HTTPRequest; at: number }[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith('http')) asked.push({ request, at: Date.now() });
    });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const isDone = kind.form === 'bare' ? 'payVisible' : 'typable';
    const { form } = await seen(frameOrigin, (form) => form[isDone] !== undefined);
    const end = form.origin + (form[isDone] ?? 0);
    const sizes = await Promise.all(asked.filter(({ at }) => at <= end).map(({ request }) => bytesOf(request)));
    return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } finally {
    await close();
  }
}

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
