// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { defineElement } from './element.ts';
import { message, postFrom, RELAY, startClean } from './testing.ts';

startClean();

describe('<turnpike-checkout>', () => {
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
    document.body.append(element);
    expect(element.shadowRoot?.querySelectorAll('iframe').length).toBe(1);
  });

  it('keeps the fallback visible and the frame hidden until the frame paints', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const slot = element.shadowRoot?.querySelector('slot');
    const frame = frameOf(element);
    expect([slot?.hidden, frame?.style.visibility]).toEqual([false, 'hidden']);
    expect([frame?.style.position, frame?.style.height]).toEqual(['absolute', '600px']);
    if (frame) postFrom(frame, message('painted', { height: 300 }));
    expect([slot?.hidden, frame?.style.visibility, frame?.style.height]).toEqual([true, '', '300px']);
    expect(frame?.style.position).toBe('');
  });

  it('shows the fallback again when the form never starts', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const frame = frameOf(element);
    if (frame) postFrom(frame, message('painted', { height: 300 }));
    vi.advanceTimersByTime(20_000);
    expect(element.shadowRoot?.querySelector('slot')?.hidden).toBe(false);
  });

  it.each([
    ['', 'light', 'light'],
    ['dark', 'dark', 'dark'],
    ['compact auto', 'light compact', 'light compact'],
    ['compact', 'light compact', 'light compact'],
    ['pink', 'light', 'light'],
  ])('with theme %j requests %j, and paints the frame in %j', (theme, asked, scheme) => {
    const frame = frameOf(put({ session: 'cs_1.SECRET', theme }));
    expect(new URL(frame?.src ?? '').searchParams.get('theme')).toBe(asked);
    if (frame) postFrom(frame, message('painted', { height: 300 }));
    expect(frame?.style.getPropertyValue('color-scheme')).toBe(scheme);
  });

  it('puts its variables into the frame’s address, even ones set before definition', () => {
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

  /** An element that was in the page before it was defined. The definition upgrades it in place. */
  function parsed(html: string) {
    const template = document.createElement('template');
    template.innerHTML = html;
    const element = template.content.querySelector('turnpike-checkout');
    if (!element) throw new Error('no checkout in it');
    return { element, put: () => document.body.append(template.content) };
  }

  it('keeps properties set on a parsed element before the script loads', () => {
    const { element, put } = parsed('<turnpike-checkout session="cs_1.SECRET"></turnpike-checkout>');
    element.variables = { '--turnpike-radius': '0' };
    put();
    expect(frameOf(element)?.src).toContain('&--turnpike-radius=0#');
  });

  it('waits for its children during parsing, and adopts the frame among them', () => {
    const reading = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    const { element, put } = parsed('<turnpike-checkout session="cs_1.SECRET"></turnpike-checkout>');
    put();
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1#cs_1.SECRET`;
    element.append(frame);
    reading.mockRestore();
    document.dispatchEvent(new Event('DOMContentLoaded'));
    expect(frameOf(element)).toBeUndefined();
    postFrom(frame, message('ready', { height: 222 }));
    expect(frame.style.height).toBe('222px');
  });

  it('names its frame as the form does, also after a language change', () => {
    const frame = frameOf(put({ session: 'cs_1.SECRET' }));
    expect(frame?.title).toBe('Checkout');
    for (const title of ['Pago', 'الدفع']) {
      if (frame) postFrom(frame, message('ready', { height: 9, title }));
      expect(frame?.title).toBe(title);
    }
  });

  it('leaves the name that the page gave an adopted frame', () => {
    const element = document.createElement('turnpike-checkout');
    element.innerHTML = `<iframe src="${RELAY}/checkout/cs_1#cs_1.SECRET" title="Pay for your tea">`;
    document.body.append(element);
    const frame = element.querySelector('iframe');
    if (frame) postFrom(frame, message('ready', { height: 9, title: 'Checkout' }));
    expect(frame?.title).toBe('Pay for your tea');
  });

  it('sends no appearance to an adopted frame when the page sets none', () => {
    const element = document.createElement('turnpike-checkout');
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1?theme=dark#cs_1.SECRET`;
    element.append(frame);
    document.body.append(element);
    const post = vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});
    postFrom(frame, message('ready', { height: 9 }));
    element.setAttribute('locale', 'es');
    expect(post).toHaveBeenLastCalledWith({ channel: 'turnpike', type: 'connect', theme: '', locale: 'es' }, RELAY);
    element.setAttribute('button', 'none');
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ theme: ' no-button' }), RELAY);
    element.setAttribute('button', '');
    element.setAttribute('theme', 'compact');
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ theme: 'light compact' }), RELAY);
    element.variables = {};
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ variables: {} }), RELAY);
  });

  it('hides parts at once, and shows them again in place', () => {
    const element = put({ session: 'cs_1.SECRET', button: 'none', amount: 'none', heading: 'auto' });
    const frame = frameOf(element);
    if (!frame) throw new Error('no frame');
    expect(new URL(frame.src).searchParams.get('theme')).toBe('light no-button no-amount');
    const post = vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});
    postFrom(frame, message('ready', { height: 9 }));
    element.removeAttribute('button');
    expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ theme: 'light no-amount' }), RELAY);
  });

  it('keeps the last result for a listener that comes later', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const frame = frameOf(element);
    if (!frame) throw new Error('no frame');
    postFrom(frame, message('ready', { height: 9 }));
    expect(element.result).toBeUndefined();
    postFrom(frame, message('result', { detail: { status: 'pending' } }));
    postFrom(frame, message('result', { detail: { status: 'approved', order_no: 'A-1' } }));
    postFrom(frame, message('change', { detail: { complete: false, payment_method: 'card' } }));
    expect(element.result).toEqual({ status: 'approved', order_no: 'A-1' });
    element.setAttribute('session', 'cs_2.SECRET');
    expect(element.result).toBeUndefined();
  });

  it('raises events that do not bubble', () => {
    const element = put({ session: 'cs_1.SECRET' });
    const inside = vi.fn();
    const outside = vi.fn();
    element.addEventListener('submit', inside);
    document.body.addEventListener('submit', outside);
    const frame = frameOf(element);
    if (frame) postFrom(frame, message('submit'));
    expect(inside).toHaveBeenCalledTimes(1);
    expect(outside).not.toHaveBeenCalled();
  });

  it('adopts an existing frame of the relay without moving it', () => {
    const element = document.createElement('turnpike-checkout');
    const frame = document.createElement('iframe');
    frame.src = `${RELAY}/checkout/cs_1#cs_1.SECRET`;
    element.append(frame);
    document.body.append(element);
    expect(frameOf(element)).toBeUndefined();
    expect(frame.parentNode).toBe(element);
    postFrom(frame, message('ready', { height: 222 }));
    expect(frame.style.height).toBe('222px');
    // The frame is in the slot.
    expect(element.shadowRoot?.querySelector('slot')?.hidden).toBe(false);
  });

  it('replaces an adopted frame when the session changes', () => {
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

  it('lets the shop’s own styles decide its layout', () => {
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

  it('keeps its frame on language or theme change, not on session change', () => {
    const element = put({ session: 'cs_1.SECRET', theme: 'light' });
    const frame = frameOf(element);
    element.setAttribute('theme', 'dark');
    element.setAttribute('locale', 'es');
    expect(frameOf(element)).toBe(frame);
    element.setAttribute('session', 'cs_2.SECRET');
    expect(frameOf(element)?.src).toContain('/checkout/cs_2?');
    expect(element.shadowRoot?.querySelectorAll('iframe').length).toBe(1);
  });

  it('cleans up when removed, and works again when inserted again', () => {
    const element = put({ session: 'cs_1.SECRET' });
    element.remove();
    element.remove();
    expect(frameOf(element)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    document.body.append(element);
    expect(frameOf(element)).toBeDefined();
  });
});
