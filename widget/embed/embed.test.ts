// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineElement } from './element.ts';
import { attend } from './frame.ts';

const RELAY = 'https://pay.example';

function say(frame: HTMLIFrameElement, data: unknown, origin = RELAY, source: unknown = frame.contentWindow): void {
  const event = new MessageEvent('message', { data, origin });
  Object.defineProperty(event, 'source', { value: source });
  dispatchEvent(event);
}
const message = (type: string, rest = {}) => ({ channel: 'turnpike', type, ...rest });

beforeEach(() => {
  vi.useFakeTimers();
  document.body.replaceChildren();
});
afterEach(() => vi.useRealTimers());

describe('a frame that is attended', () => {
  function begin(adopted = false) {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const emit = vi.fn();
    const navigate = vi.fn();
    const wishes = () => ({ type: 'connect' as const });
    return { frame, emit, navigate, ...attend({ frame, origin: RELAY, adopted, wishes, emit, navigate }) };
  }

  it.each([
    ['another window', message('submit'), RELAY, window],
    ['another origin', message('submit'), 'https://pay.example.evil.example', undefined],
    ['another channel', { channel: 'x', type: 'submit' }, RELAY, undefined],
    ['a type that there is not', message('pay'), RELAY, undefined],
    ['a result without a detail', message('result'), RELAY, undefined],
    ['a height that is no number', message('ready', { height: '9' }), RELAY, undefined],
  ])('hears nothing from %s', (_, data, origin, source) => {
    const { frame, emit } = begin();
    say(frame, data, origin, source ?? frame.contentWindow);
    expect(emit).not.toHaveBeenCalled();
  });

  it('passes events on and keeps the height within bounds', () => {
    const { frame, emit } = begin();
    say(frame, message('ready', { height: 400 }));
    say(frame, message('result', { detail: { status: 'approved' } }));
    expect(emit.mock.calls).toEqual([['ready'], ['result', { status: 'approved' }]]);
    expect(frame.style.height).toBe('400px');
    say(frame, message('resize', { height: 1e9 }));
    expect(frame.style.height).toBe('10000px');
    say(frame, message('resize', { height: -5 }));
    expect(frame.style.height).toBe('0px');
  });

  it('leaves for the relay', () => {
    const { frame, navigate } = begin();
    say(frame, message('navigate', { url: `${RELAY}/checkout/cs_1/issuer?ticket=x` }));
    expect(navigate).toHaveBeenCalledWith(`${RELAY}/checkout/cs_1/issuer?ticket=x`);
  });

  it.each([
    'https://evil.example/',
    'https://pay.example.evil.example/',
    'https://pay.example@evil.example/',
    'javascript:alert(1)',
    '//evil.example/',
    'https://pay.example',
    ' https://pay.example/',
    'http://pay.example/',
  ])('does not leave for %s', (url) => {
    const { frame, navigate, emit } = begin();
    say(frame, message('navigate', { url }));
    expect(navigate).not.toHaveBeenCalled();
    expect(emit).toHaveBeenCalledWith('error', expect.objectContaining({ code: 'navigate_refused' }));
  });

  it('connects every 250 ms once loaded, until the frame is ready', () => {
    const { frame } = begin();
    const post = vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});
    vi.advanceTimersByTime(1000);
    expect(post).not.toHaveBeenCalled();
    frame.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(500);
    expect(post).toHaveBeenCalledTimes(3);
    expect(post).toHaveBeenCalledWith({ channel: 'turnpike', type: 'connect' }, RELAY);
    say(frame, message('ready', { height: 1 }));
    vi.advanceTimersByTime(5000);
    expect(post).toHaveBeenCalledTimes(3);
  });

  it('says so when the frame does not come', () => {
    const { emit } = begin();
    vi.advanceTimersByTime(20_000);
    expect(emit).toHaveBeenCalledWith('error', expect.objectContaining({ code: 'frame_timeout' }));
  });

  it('leaves no timer and no listener behind', () => {
    const { frame, emit, stop } = begin(true);
    stop();
    stop();
    expect(vi.getTimerCount()).toBe(0);
    say(frame, message('submit'));
    expect(emit).not.toHaveBeenCalled();
  });
});

describe('<turnpike-checkout>', () => {
  defineElement(RELAY);
  defineElement(RELAY);

  function put(attributes: Record<string, string>) {
    const element = document.createElement('turnpike-checkout');
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.append(element);
    return element;
  }
  const frameOf = (element: Element) => element.shadowRoot?.querySelector('iframe') ?? undefined;

  it('opens one frame, with the secret in the fragment only', () => {
    const element = put({ session: 'cs_1.SECRET', locale: 'pt-BR', theme: 'dark' });
    expect(frameOf(element)?.src).toBe(`${RELAY}/checkout/cs_1?locale=pt-BR&theme=dark#cs_1.SECRET`);
    expect(frameOf(element)?.title).toBe('Pagamento');
    document.body.append(element);
    expect(element.shadowRoot?.querySelectorAll('iframe').length).toBe(1);
  });

  it('shows the fallback until the frame is ready', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const slot = element.shadowRoot?.querySelector('slot');
    const frame = frameOf(element);
    expect(slot?.style.display).toBe('');
    if (frame) say(frame, message('ready', { height: 300 }));
    expect(slot?.style.display).toBe('none');
  });

  it('raises events that do not bubble', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const inside = vi.fn();
    const outside = vi.fn();
    element.addEventListener('submit', inside);
    document.body.addEventListener('submit', outside);
    const frame = frameOf(element);
    if (frame) say(frame, message('submit'));
    expect(inside).toHaveBeenCalledTimes(1);
    expect(outside).not.toHaveBeenCalled();
  });

  it('adopts a frame of the relay that is already there, without moving it', () => {
    const element = document.createElement('turnpike-checkout');
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1#cs_1.SECRET`;
    element.append(frame);
    document.body.append(element);
    expect(frameOf(element)).toBeUndefined();
    expect(frame.parentNode).toBe(element);
    say(frame, message('ready', { height: 222 }));
    expect(frame.style.height).toBe('222px');
  });

  it('replaces an adopted frame when the session changes: it would show the old order', () => {
    const element = document.createElement('turnpike-checkout');
    element.setAttribute('session', 'cs_1.SECRET');
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1?locale=es#cs_1.SECRET`;
    element.append(frame, 'Pay here');
    document.body.append(element);
    expect(frameOf(element)).toBeUndefined();
    element.setAttribute('session', 'cs_2.SECRET');
    expect(frameOf(element)?.src).toContain('/checkout/cs_2?');
    expect(frame.isConnected).toBe(false);
    expect(element.textContent).toBe('Pay here');
  });

  it('leaves its place on the page to the shop’s own styles', () => {
    const element = put({ session: 'cs_1.SECRET' });
    expect(element.getAttribute('style')).toBeNull();
  });

  it('does not adopt a frame of another origin', () => {
    const element = document.createElement('turnpike-checkout');
    element.setAttribute('session', 'cs_1.S');
    const frame = document.createElement('iframe');
    frame.src = 'https://pay.example.evil.example/checkout/cs_1';
    element.append(frame);
    document.body.append(element);
    expect(frameOf(element)).toBeDefined();
  });

  it('keeps its frame, and so what was typed, when language or theme change; another session is another frame', () => {
    const element = put({ session: 'cs_1.SECRET', theme: 'light' });
    const frame = frameOf(element);
    element.setAttribute('theme', 'dark');
    element.setAttribute('locale', 'es');
    expect(frameOf(element)).toBe(frame);
    element.setAttribute('session', 'cs_2.SECRET');
    expect(frameOf(element)?.src).toContain('/checkout/cs_2?');
    expect(element.shadowRoot?.querySelectorAll('iframe').length).toBe(1);
  });

  it('cleans up when it is removed, and comes back when it is put in again', () => {
    const element = put({ session: 'cs_1.SECRET' });
    element.remove();
    element.remove();
    expect(frameOf(element)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    document.body.append(element);
    expect(frameOf(element)).toBeDefined();
  });
});

describe('Turnpike.checkout()', () => {
  it('mounts, tells its listeners, and unmounts, each as often as one likes', async () => {
    const script = document.createElement('script');
    script.src = `${RELAY}/turnpike.js`;
    script.type = 'inert';
    document.body.append(script);
    await import('./turnpike.ts');
    const first = window.Turnpike;
    const heard = vi.fn();
    const place = document.createElement('div');
    place.id = 'pay';
    document.body.append(place);
    const checkout = first?.checkout({ session: 'cs_1.SECRET' }).on('change', heard).mount('#pay').mount('#pay');
    const frame = place.firstElementChild?.shadowRoot?.querySelector('iframe');
    if (!frame) throw new Error('nothing mounted');
    say(frame, message('change', { detail: { complete: true } }));
    expect(heard.mock.calls).toEqual([[{ complete: true }]]);
    checkout?.off('change', heard);
    say(frame, message('change', { detail: { complete: false } }));
    expect(heard).toHaveBeenCalledTimes(1);
    checkout?.unmount().unmount();
    expect(place.childElementCount).toBe(0);
    expect(() => checkout?.mount('#nowhere')).toThrow('#nowhere');
  });
});
