import type { Page, Request } from 'playwright-core';

/**
 * Follows where a page goes. The answer brings the page to rest: its scripts send it nowhere any more, what is still loading is
 * stopped, and a document that is being put in place already is waited for. Chromium may never finish closing a page in which that has begun.
 */
export function followPage(page: Page): () => Promise<void> {
  const going = new Set<Request>();
  const settled = new Set<() => void>();
  const settle = (change: () => void) => {
    change();
    if (!going.size) for (const done of settled) done();
  };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      going.clear();
      going.add(request);
    }
  });
  page.on('requestfailed', (request) => settle(() => going.delete(request)));
  page.on('framenavigated', (frame) => settle(() => frame === page.mainFrame() && going.clear()));
  page.on('close', () => settle(() => going.clear()));
  page.on('crash', () => settle(() => going.clear()));
  return async () => {
    if (page.isClosed()) return;
    const session = await page.context().newCDPSession(page);
    // A document that is being put in place refuses these: it comes in a moment.
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    await session.send('Page.stopLoading').catch(() => {});
    if (going.size) await new Promise<void>((done) => settled.add(done));
  };
}
