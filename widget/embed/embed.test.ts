// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
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
    const show = vi.fn();
    const wishes = () => ({ type: 'connect' as const });
    const attended = attend({ frame, origin: RELAY, adopted, wishes, emit, show, navigate });
    onTestFinished(attended.stop);
    return { frame, emit, navigate, show, ...attended };
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
    for (const height of [-5, Number.NaN]) say(frame, message('resize', { height }));
    expect(frame.style.height).toBe('10000px');
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

  const posts = (frame: HTMLIFrameElement) =>
    vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});

  it('connects every 250 ms once it stands, until it is ready', () => {
    const { frame } = begin();
    const post = posts(frame);
    vi.advanceTimersByTime(1000);
    expect(post).not.toHaveBeenCalled();
    say(frame, message('painted', { height: 300 }));
    vi.advanceTimersByTime(500);
    expect(post).toHaveBeenCalledTimes(3);
    expect(post).toHaveBeenCalledWith({ channel: 'turnpike', type: 'connect' }, RELAY);
    say(frame, message('ready', { height: 1 }));
    vi.advanceTimersByTime(60_000);
    expect(post).toHaveBeenCalledTimes(3);
  });

  it('is shown as high as it stands before its script is there, and is ready once', () => {
    const { frame, emit, show } = begin();
    frame.style.visibility = 'hidden';
    say(frame, message('painted', { height: 300 }));
    expect([frame.style.height, frame.style.visibility]).toEqual(['300px', '']);
    expect(show.mock.calls).toEqual([[true]]);
    expect(emit).not.toHaveBeenCalled();
    say(frame, message('ready', { height: 301 }));
    frame.dispatchEvent(new Event('load'));
    say(frame, message('ready', { height: 301 }));
    expect(emit.mock.calls).toEqual([['ready']]);
  });

  it('is connected and ready again when it has loaded itself again', () => {
    const { frame, emit } = begin();
    for (let times = 0; times < 2; times++) {
      say(frame, message('painted', { height: 300 }));
      say(frame, message('ready', { height: 300 }));
      frame.dispatchEvent(new Event('load'));
    }
    expect(emit.mock.calls).toEqual([['ready'], ['ready']]);
  });

  it('may have stood there before: it is connected as soon as it has an origin', () => {
    const { frame } = begin(true);
    const post = posts(frame);
    vi.advanceTimersByTime(1000);
    expect(post).not.toHaveBeenCalled();
    frame.dispatchEvent(new Event('load'));
    expect(post).toHaveBeenCalledTimes(1);
  });

  describe('and does not come', () => {
    /** How often it was put into the page, beside the first time. */
    const loads = (frame: HTMLIFrameElement) => vi.spyOn(frame, 'before');

    it('is loaded twice more, with pauses that grow, and then given up', () => {
      const { frame, emit } = begin();
      const again = loads(frame);
      vi.advanceTimersByTime(10_999);
      expect(again).toHaveBeenCalledTimes(0);
      vi.advanceTimersByTime(1);
      expect(again).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(14_000);
      expect(again).toHaveBeenCalledTimes(2);
      expect(emit).not.toHaveBeenCalled();
      vi.advanceTimersByTime(10_000);
      expect(emit).toHaveBeenCalledWith('error', expect.objectContaining({ code: 'frame_timeout' }));
      vi.advanceTimersByTime(600_000);
      expect(again).toHaveBeenCalledTimes(2);
      expect(emit).toHaveBeenCalledTimes(1);
    });

    it('is known for an error page three seconds after it has loaded without a word', () => {
      const { frame } = begin();
      const again = loads(frame);
      frame.dispatchEvent(new Event('load'));
      vi.advanceTimersByTime(3999);
      expect(again).toHaveBeenCalledTimes(0);
      vi.advanceTimersByTime(1);
      expect(again).toHaveBeenCalledTimes(1);
    });

    it('is loaded at once when the device is online again, also after it was given up', () => {
      const { frame, emit } = begin();
      const again = loads(frame);
      dispatchEvent(new Event('online'));
      expect(again).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(600_000);
      expect(emit).toHaveBeenCalledTimes(1);
      dispatchEvent(new Event('online'));
      expect(again).toHaveBeenCalledTimes(4);
      say(frame, message('ready', { height: 1 }));
      expect(emit).toHaveBeenLastCalledWith('ready');
    });

    it('has all its tries again once it is online, and once it was ready', () => {
      const { frame, emit } = begin();
      const again = loads(frame);
      vi.advanceTimersByTime(600_000);
      dispatchEvent(new Event('online'));
      vi.advanceTimersByTime(600_000);
      expect(again).toHaveBeenCalledTimes(5);
      expect(emit).toHaveBeenCalledTimes(2);

      dispatchEvent(new Event('online'));
      vi.advanceTimersByTime(11_000);
      expect(again).toHaveBeenCalledTimes(7);
      say(frame, message('painted', { height: 300 }));
      say(frame, message('ready', { height: 300 }));
      frame.dispatchEvent(new Event('load'));
      // It went somewhere else by itself.
      frame.dispatchEvent(new Event('load'));
      vi.advanceTimersByTime(24_000);
      expect(again).toHaveBeenCalledTimes(8);
    });

    it('is loaded once more where it stands without ever being ready, and then given up', () => {
      const { frame, emit, show } = begin();
      const again = loads(frame);
      for (let times = 0; times < 2; times++) {
        say(frame, message('painted', { height: 300 }));
        vi.advanceTimersByTime(19_999);
        expect(show).toHaveBeenLastCalledWith(true);
        dispatchEvent(new Event('online'));
        vi.advanceTimersByTime(1);
        expect(show).toHaveBeenLastCalledWith(false);
        expect([frame.style.height, frame.style.visibility]).toEqual(['0px', 'hidden']);
        vi.advanceTimersByTime(4000);
        expect(again).toHaveBeenCalledTimes(1);
      }
      expect(emit).toHaveBeenCalledWith('error', expect.objectContaining({ code: 'frame_timeout' }));
    });

    it('is shown after all when it comes late', () => {
      const { frame, show } = begin();
      const again = loads(frame);
      vi.advanceTimersByTime(10_500);
      say(frame, message('painted', { height: 300 }));
      vi.advanceTimersByTime(2000);
      expect(again).not.toHaveBeenCalled();
      expect(show).toHaveBeenLastCalledWith(true);
    });
  });

  it('leaves no timer and no listener behind', () => {
    const { frame, emit, stop } = begin(true);
    stop();
    stop();
    expect(vi.getTimerCount()).toBe(0);
    say(frame, message('submit'));
    frame.dispatchEvent(new Event('load'));
    dispatchEvent(new Event('online'));
    expect(vi.getTimerCount()).toBe(0);
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

  it('shows the fallback until the frame stands, and lets nobody step into the frame before', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const slot = element.shadowRoot?.querySelector('slot');
    const frame = frameOf(element);
    expect([slot?.hidden, frame?.style.visibility, frame?.style.height]).toEqual([false, 'hidden', '0px']);
    if (frame) say(frame, message('painted', { height: 300 }));
    expect([slot?.hidden, frame?.style.visibility, frame?.style.height]).toEqual([true, '', '300px']);
  });

  it('shows the fallback again when the form never comes alive', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const frame = frameOf(element);
    if (frame) say(frame, message('painted', { height: 300 }));
    vi.advanceTimersByTime(20_000);
    expect(element.shadowRoot?.querySelector('slot')?.hidden).toBe(false);
  });

  it.each([
    ['', 'light', 'light'],
    ['dark', 'dark', 'dark'],
    ['compact auto', 'auto compact', 'light dark'],
    ['compact', 'light compact', 'light'],
    ['pink', 'light', 'light'],
  ])('with the theme %j asks for %j, and paints the frame in %j', (theme, asked, scheme) => {
    const frame = frameOf(put({ session: 'cs_1.SECRET', theme }));
    expect(new URL(frame?.src ?? '').searchParams.get('theme')).toBe(asked);
    expect(frame?.style.getPropertyValue('color-scheme')).toBe(scheme);
  });

  it('has its variables in the frame’s address, also those that were set before it was defined', () => {
    const variables = { '--turnpike-color-accent': '#f00', '--turnpike-font': '"Open Sans"' };
    for (const early of [true, false]) {
      const element = document.createElement('turnpike-checkout');
      if (early) Object.defineProperty(element, 'variables', { value: variables, configurable: true, writable: true });
      else element.variables = variables;
      element.setAttribute('session', 'cs_1.SECRET');
      document.body.append(element);
      expect(frameOf(element)?.src).toBe(
        `${RELAY}/checkout/cs_1?theme=light&--turnpike-color-accent=%23f00&--turnpike-font=%22Open+Sans%22#cs_1.SECRET`,
      );
      expect(Object.hasOwn(element, 'variables')).toBe(false);
      expect(element.variables).toEqual(variables);
    }
  });

  /** An element that stood in the page before it was defined: it comes alive where it stands. */
  function parsed(html: string) {
    const template = document.createElement('template');
    template.innerHTML = html;
    const element = template.content.querySelector('turnpike-checkout');
    if (!element) throw new Error('no checkout in it');
    return { element, put: () => document.body.append(template.content) };
  }

  it('honours what was set of an element in the page before the script came', () => {
    const { element, put } = parsed('<turnpike-checkout session="cs_1.SECRET"></turnpike-checkout>');
    element.variables = { '--turnpike-radius': '0' };
    put();
    expect(frameOf(element)?.src).toContain('&--turnpike-radius=0#');
  });

  it('waits for its children where it comes alive while the page is read, and adopts the frame among them', () => {
    const reading = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    const { element, put } = parsed('<turnpike-checkout session="cs_1.SECRET"></turnpike-checkout>');
    put();
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1#cs_1.SECRET`;
    element.append(frame);
    reading.mockRestore();
    document.dispatchEvent(new Event('DOMContentLoaded'));
    expect(frameOf(element)).toBeUndefined();
    say(frame, message('ready', { height: 222 }));
    expect(frame.style.height).toBe('222px');
  });

  it('names its frame in the shopper’s language, also when that changes', () => {
    const browser = vi.spyOn(navigator, 'language', 'get').mockReturnValue('es-MX');
    const element = put({ session: 'cs_1.SECRET' });
    expect(frameOf(element)?.title).toBe('Pago');
    browser.mockRestore();
    element.setAttribute('locale', 'pt-BR');
    expect(frameOf(element)?.title).toBe('Pagamento');
    element.setAttribute('locale', 'en');
    expect(frameOf(element)?.title).toBe('Checkout');
  });

  it('says nothing of looks to an adopted frame that the page has said nothing of', () => {
    const element = document.createElement('turnpike-checkout');
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1?theme=dark#cs_1.SECRET`;
    element.append(frame);
    document.body.append(element);
    const post = vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});
    say(frame, message('ready', { height: 9 }));
    element.setAttribute('locale', 'es');
    expect(post).toHaveBeenLastCalledWith({ channel: 'turnpike', type: 'connect', locale: 'es' }, RELAY);
    element.setAttribute('theme', 'compact');
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ theme: 'light compact' }), RELAY);
    element.variables = {};
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ variables: {} }), RELAY);
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
    // It is slotted itself.
    expect(element.shadowRoot?.querySelector('slot')?.hidden).toBe(false);
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
  async function load() {
    const script = document.createElement('script');
    script.src = `${RELAY}/turnpike.js`;
    const running = vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
    await import('./turnpike.ts');
    running.mockRestore();
    if (!window.Turnpike) throw new Error('not loaded');
    return window.Turnpike;
  }

  it('mounts, tells its listeners, and unmounts, each as often as one likes', async () => {
    const heard = vi.fn();
    const place = document.createElement('div');
    place.id = 'pay';
    document.body.append(place);
    const turnpike = await load();
    const checkout = turnpike.checkout({ session: 'cs_1.SECRET' }).on('change', heard).mount('#pay').mount('#pay');
    const frame = place.firstElementChild?.shadowRoot?.querySelector('iframe');
    if (!frame) throw new Error('nothing mounted');
    say(frame, message('change', { detail: { complete: true } }));
    expect(heard.mock.calls).toEqual([[{ complete: true }]]);
    checkout.off('change', heard);
    say(frame, message('change', { detail: { complete: false } }));
    expect(heard).toHaveBeenCalledTimes(1);
    checkout.unmount().unmount();
    expect(place.childElementCount).toBe(0);
    expect(() => checkout.mount('#nowhere')).toThrow('#nowhere');
  });

  it.each([
    ['dark', 'dark'],
    ['auto compact', 'auto compact'],
    [{ theme: 'dark', compact: true }, 'dark compact'],
    [{ compact: true }, 'compact'],
    [{ theme: 'dark compact', compact: false }, 'dark'],
    [undefined, null],
  ])('with the appearance %j has the theme %j', async (appearance, theme) => {
    const turnpike = await load();
    turnpike.checkout({ session: 'cs_1.SECRET', ...(appearance && { appearance }) }).mount(document.body);
    expect(document.querySelector('turnpike-checkout')?.getAttribute('theme')).toBe(theme);
  });

  it('follows changes in place, and keeps what is not named', async () => {
    const turnpike = await load();
    const checkout = turnpike.checkout({ session: 'cs_1.SECRET', appearance: { theme: 'dark', variables: {} } });
    checkout.mount(document.body);
    const element = document.querySelector('turnpike-checkout');
    const frame = element?.shadowRoot?.querySelector('iframe');
    if (!frame) throw new Error('nothing mounted');
    const post = vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});
    say(frame, message('ready', { height: 9 }));
    const variables = { '--turnpike-radius': '0' };
    checkout.update({ locale: 'es', appearance: { compact: true, variables } });
    expect(post).toHaveBeenLastCalledWith(
      { channel: 'turnpike', type: 'connect', locale: 'es', theme: 'dark compact', variables },
      RELAY,
    );
    checkout.update({ appearance: 'compact' });
    checkout.update({ appearance: { compact: false } });
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ theme: 'light' }), RELAY);
    checkout.update();
    expect(post).toHaveBeenLastCalledWith({ channel: 'turnpike', type: 'update' }, RELAY);
    expect(element?.shadowRoot?.querySelector('iframe')).toBe(frame);
  });
});
