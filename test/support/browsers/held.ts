import type { CDPSession, Page } from 'playwright-core';

/** For a page, before its scripts run: counts the pending timers. */
export function countTimers(): void {
  const waiting = new Set<number>();
  Object.assign(window, { waiting });
  const { setTimeout: later, setInterval: often, clearTimeout: drop } = window;
  const bound = { later: later.bind(window), often: often.bind(window), drop: drop.bind(window) };
  const timeout = (run: () => void, ms?: number) => {
    const id = bound.later(() => {
      waiting.delete(id);
      run();
    }, ms);
    waiting.add(id);
    return id;
  };
  const interval = (run: () => void, ms?: number) => {
    const id = bound.often(run, ms);
    waiting.add(id);
    return id;
  };
  const clear = (id?: number) => {
    waiting.delete(id ?? 0);
    bound.drop(id);
  };
  Object.assign(window, { setTimeout: timeout, setInterval: interval, clearTimeout: clear, clearInterval: clear });
}

/**
 * What a page still holds after garbage collection. `elements` counts the live weak references that a test keeps in
 * `window.elements`, `timers` the result of `countTimers`.
 */
export async function held(page: Page, cdp: CDPSession) {
  // The browser's own entries for each loaded frame.
  await page.evaluate(() => performance.clearResourceTimings());
  for (let time = 0; time < 3; time++) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((entry) => entry.name === name)?.value ?? Number.NaN;
  const inPage = await page.evaluate(() => ({
    elements:
      'elements' in window && Array.isArray(window.elements)
        ? window.elements.filter((element: WeakRef<Element>) => element.deref()).length
        : Number.NaN,
    timers: 'waiting' in window && window.waiting instanceof Set ? window.waiting.size : Number.NaN,
    iframes: document.querySelectorAll('iframe, turnpike-checkout').length,
  }));
  const counted = { listeners: metric('JSEventListeners'), documents: metric('Documents'), frames: metric('Frames') };
  return { ...counted, ...inPage, nodes: metric('Nodes'), heap: metric('JSHeapUsedSize') };
}
