// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { message, postFrom, RELAY, startClean } from './testing.ts';

startClean();

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

  it('mounts, notifies listeners and unmounts, any number of times', async () => {
    const heard = vi.fn();
    const place = document.createElement('div');
    place.id = 'pay';
    document.body.append(place);
    const turnpike = await load();
    const checkout = turnpike.checkout({ session: 'cs_1.SECRET' }).on('change', heard).mount('#pay').mount('#pay');
    const frame = place.firstElementChild?.shadowRoot?.querySelector('iframe');
    if (!frame) throw new Error('nothing mounted');
    postFrom(frame, message('change', { detail: { complete: true } }));
    expect(heard.mock.calls).toEqual([[{ complete: true }]]);
    checkout.off('change', heard);
    postFrom(frame, message('change', { detail: { complete: false } }));
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
    [undefined, ''],
  ])('with the appearance %j has the theme %j', async (appearance, theme) => {
    const turnpike = await load();
    turnpike.checkout({ session: 'cs_1.SECRET', ...(appearance && { appearance }) }).mount(document.body);
    const tokens = document.querySelector('turnpike-checkout')?.getAttribute('theme')?.match(/\w+/g) ?? [];
    expect(tokens.join(' ')).toBe(theme);
  });

  it('hides the parts that options and changes name', async () => {
    const place = document.createElement('div');
    document.body.append(place);
    const options = { session: 'cs_1.SECRET', button: 'none', heading: 'none', amount: 'auto' } as const;
    const checkout = (await load()).checkout(options).mount(place);
    const attributes = () => ['button', 'heading', 'amount'].map((name) => place.firstElementChild?.getAttribute(name));
    expect(attributes()).toEqual(['none', 'none', 'auto']);
    checkout.update({ button: 'auto' });
    expect(attributes()).toEqual(['auto', 'none', 'auto']);
  });

  it('applies changes in place, and keeps all other settings', async () => {
    const turnpike = await load();
    const checkout = turnpike.checkout({ session: 'cs_1.SECRET', appearance: { theme: 'dark', variables: {} } });
    checkout.mount(document.body);
    const element = document.querySelector('turnpike-checkout');
    const frame = element?.shadowRoot?.querySelector('iframe');
    if (!frame) throw new Error('nothing mounted');
    const post = vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});
    postFrom(frame, message('ready', { height: 9 }));
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
