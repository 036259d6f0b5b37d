// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openBridge, type Post, setTheme, setVariables } from './bridge.ts';

const SHOP = 'https://shop.example';
const connect = { channel: 'turnpike', type: 'connect' };

describe('the frame’s end of the bridge', () => {
  const frame = document.createElement('iframe');
  const parent = { postMessage: vi.fn() };
  const ready = { type: 'ready', height: 321, title: 'Checkout' } as const;
  const handlers = { ready: () => ready, connected: vi.fn(), update: vi.fn(), submit: vi.fn() };
  let self: Window;
  let post: Post;

  beforeEach(() => {
    vi.clearAllMocks();
    document.body.replaceChildren(frame);
    if (!frame.contentWindow) throw new Error('no window');
    self = frame.contentWindow;
    Object.defineProperty(self, 'parent', { value: parent, configurable: true });
    post = openBridge(self, [SHOP], handlers);
  });

  function hear(data: unknown, origin = SHOP, source: unknown = parent): void {
    const event = new MessageEvent('message', { data, origin });
    Object.defineProperty(event, 'source', { value: source });
    self.dispatchEvent(event);
  }

  it('answers an allowed page with ready, to that origin only', () => {
    hear(connect);
    expect(parent.postMessage.mock.calls).toEqual([[{ channel: 'turnpike', ...ready }, SHOP]]);
  });

  it.each([
    ['another window', connect, SHOP, {}],
    ['an origin that may not hold the frame', connect, 'https://evil.example', parent],
    ['an origin that only looks alike', connect, 'https://shop.example.evil.example', parent],
    ['the opaque origin', connect, 'null', parent],
    ['another channel', { ...connect, channel: 'other' }, SHOP, parent],
    ['an unknown type', { ...connect, type: 'pay' }, SHOP, parent],
    ['no object', 'connect', SHOP, parent],
    ['nothing', null, SHOP, parent],
  ])('does not answer %s', (_, data, origin, source) => {
    hear(data, origin, source);
    expect(parent.postMessage).not.toHaveBeenCalled();
    expect(handlers.connected).not.toHaveBeenCalled();
  });

  it('does nothing for a page that has not connected', () => {
    hear({ channel: 'turnpike', type: 'submit' });
    expect(handlers.submit).not.toHaveBeenCalled();
  });

  it('takes messages of the connected page only', () => {
    hear(connect);
    hear({ channel: 'turnpike', type: 'submit' });
    hear({ channel: 'turnpike', type: 'update' }, 'https://other.example');
    expect(handlers.submit).toHaveBeenCalledTimes(1);
    expect(handlers.update).not.toHaveBeenCalled();
  });

  it('queues earlier events, and sends them after ready', () => {
    post({ type: 'submit' });
    expect(parent.postMessage).not.toHaveBeenCalled();
    hear(connect);
    expect(parent.postMessage.mock.calls.map(([message]) => message.type)).toEqual(['ready', 'submit']);
  });
});

describe('the shop’s variables', () => {
  const root = document.createElement('html');

  it('are set if the form has them; others are ignored', () => {
    setVariables(root, { '--turnpike-radius': '2px', '--other': '1px', color: 'red', '--turnpike-font': 7 });
    expect(root.getAttribute('style')?.trim()).toBe('--turnpike-radius: 2px;');
  });

  it('are removed once the page no longer sets them', () => {
    setVariables(root, { '--turnpike-spacing': '4px' });
    expect(root.getAttribute('style')?.trim()).toBe('--turnpike-spacing: 4px;');
    setVariables(root, {});
    expect(root.style.length).toBe(0);
  });

  it('replace all variables of the address, unless the shop sets none', () => {
    const { documentElement } = document;
    const style = document.createElement('style');
    style.id = 'variables';
    document.head.append(style);
    setVariables(documentElement, undefined);
    expect(style.isConnected).toBe(true);
    setVariables(documentElement, {});
    expect(style.isConnected).toBe(false);
  });
});

it('hides the parts that the page names, else the address’s', () => {
  const root = document.createElement('html');
  root.className = 'compact';
  setTheme(root, ' no-button no-amount');
  expect([root.dataset.hide, root.className]).toEqual(['no-button,no-amount', 'compact']);
  setTheme(root, '');
  expect(root.dataset.hide).toBe('no-button,no-amount');
  setTheme(root, 'light');
  expect(root.dataset.hide).toBe('null');
});

describe('the theme', () => {
  it.each([
    ['dark', 'dark', ''],
    ['compact light', 'light', 'compact'],
    ['compact', 'auto', 'compact'],
    ['pink', 'auto', ''],
    [undefined, 'auto', ''],
  ])('%j shows %s, %j', (theme, shown, className) => {
    const root = document.createElement('html');
    root.dataset.theme = 'auto';
    setTheme(root, theme);
    expect([root.dataset.theme, root.className]).toEqual([shown, className]);
  });
});
