// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const postMessage = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  postMessage.mockClear();
  vi.stubGlobal('parent', { postMessage });
  document.body.innerHTML = '<main id="checkout"></main>';
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 415.2));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const painted = { channel: 'turnpike', type: 'painted', height: 416 };

it('sends the page the height of the form at once', async () => {
  await import('./painted.ts');
  expect(postMessage.mock.calls).toEqual([[painted, '*']]);
});

it('waits until its frame has a width before it measures height', async () => {
  vi.stubGlobal('innerWidth', 0);
  await import('./painted.ts');
  vi.advanceTimersByTime(100);
  expect(postMessage).not.toHaveBeenCalled();
  vi.stubGlobal('innerWidth', 390);
  vi.advanceTimersByTime(16);
  vi.advanceTimersByTime(1000);
  expect(postMessage.mock.calls).toEqual([[painted, '*']]);
});

it('stops waiting for a hidden frame, and reports zero height', async () => {
  vi.stubGlobal('innerWidth', 0);
  await import('./painted.ts');
  vi.advanceTimersByTime(320);
  expect(postMessage.mock.calls).toEqual([[{ ...painted, height: 0 }, '*']]);
});

it('sends nothing for a hidden frame whose form has started', async () => {
  vi.stubGlobal('innerWidth', 0);
  await import('./painted.ts');
  vi.stubGlobal('turnpikeForm', {});
  vi.advanceTimersByTime(1000);
  expect(postMessage).not.toHaveBeenCalled();
});

it('sends nothing on the hosted page', async () => {
  vi.stubGlobal('parent', window);
  const told = vi.spyOn(window, 'postMessage');
  await import('./painted.ts');
  expect(told).not.toHaveBeenCalled();
});
