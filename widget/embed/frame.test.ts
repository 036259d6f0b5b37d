// @vitest-environment jsdom
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectFrame } from './frame.ts';
import { message, postFrom, RELAY, startClean } from './testing.ts';

startClean();

describe('a connected frame', () => {
  function begin(adopted = false) {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const emit = vi.fn();
    const show = vi.fn();
    const wishes = () => ({ type: 'connect' as const });
    const attended = connectFrame(frame, RELAY, adopted, wishes, emit, show);
    onTestFinished(attended.stop);
    return { frame, emit, show, ...attended };
  }

  it.each([
    ['another window', message('submit'), RELAY, window],
    ['another origin', message('submit'), 'https://pay.example.evil.example', undefined],
    ['another channel', { channel: 'x', type: 'submit' }, RELAY, undefined],
  ])('hears nothing from %s', (_, data, origin, source) => {
    const { frame, emit } = begin();
    postFrom(frame, data, origin, source ?? frame.contentWindow);
    expect(emit).not.toHaveBeenCalled();
  });

  it('passes events on and keeps the height within bounds', () => {
    const { frame, emit } = begin();
    postFrom(frame, message('ready', { height: 400 }));
    postFrom(frame, message('result', { detail: { status: 'approved' } }));
    expect(emit.mock.calls).toEqual([['ready'], ['result', { status: 'approved' }]]);
    expect(frame.style.height).toBe('400px');
    postFrom(frame, message('resize', { height: 1e9 }));
    expect(frame.style.height).toBe('10000px');
    for (const height of [-5, Number.NaN]) postFrom(frame, message('resize', { height }));
    expect(frame.style.height).toBe('10000px');
  });

  it('keeps its height while its document is not laid out', () => {
    const { frame, emit } = begin(true);
    frame.style.height = '400px';
    for (const type of ['painted', 'ready', 'resize']) postFrom(frame, message(type, { height: 0 }));
    expect(frame.style.height).toBe('400px');
    expect(emit.mock.calls).toEqual([['ready']]);
  });

  /** jsdom navigates only to fragments of the current page. */
  it('navigates the page to the relay', () => {
    onTestFinished(() => location.assign('#'));
    const here = location.href.replace(/#.*/, '');
    const frame = document.body.appendChild(document.createElement('iframe'));
    const emit = vi.fn();
    const { stop } = connectFrame(frame, location.origin, false, () => ({ type: 'connect' }), emit, vi.fn());
    onTestFinished(stop);
    postFrom(frame, message('navigate', { url: `${here}#left` }), location.origin);
    expect([location.hash, emit.mock.calls]).toEqual(['#left', []]);
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
    const { frame, emit } = begin();
    const before = location.href;
    postFrom(frame, message('navigate', { url }));
    expect(location.href).toBe(before);
    expect(emit).toHaveBeenCalledWith('error', expect.objectContaining({ code: 'navigate_refused' }));
  });

  const posts = (frame: HTMLIFrameElement) =>
    vi.spyOn(frame.contentWindow ?? window, 'postMessage').mockImplementation(() => {});

  it('gets connect every 250 ms once it is painted, until ready', () => {
    const { frame } = begin();
    const post = posts(frame);
    vi.advanceTimersByTime(1000);
    expect(post).not.toHaveBeenCalled();
    postFrom(frame, message('painted', { height: 300 }));
    vi.advanceTimersByTime(500);
    expect(post).toHaveBeenCalledTimes(3);
    expect(post).toHaveBeenCalledWith({ channel: 'turnpike', type: 'connect' }, RELAY);
    postFrom(frame, message('ready', { height: 1 }));
    vi.advanceTimersByTime(60_000);
    expect(post).toHaveBeenCalledTimes(3);
  });

  it('passes an update on once it is ready, but no submit', () => {
    const { frame, send } = begin();
    postFrom(frame, message('painted', { height: 300 }));
    const post = posts(frame);
    send('update');
    send('submit');
    expect(post).not.toHaveBeenCalled();
    postFrom(frame, message('ready', { height: 300 }));
    postFrom(frame, message('ready', { height: 300 }));
    expect(post.mock.calls).toEqual([[{ channel: 'turnpike', type: 'update' }, RELAY]]);
  });

  it('takes its painted height before its script loads, and is ready once', () => {
    const { frame, emit, show } = begin();
    frame.style.visibility = 'hidden';
    postFrom(frame, message('painted', { height: 300 }));
    expect([frame.style.height, frame.style.visibility]).toEqual(['300px', '']);
    expect(show.mock.calls).toEqual([[true]]);
    expect(emit).not.toHaveBeenCalled();
    postFrom(frame, message('ready', { height: 301 }));
    frame.dispatchEvent(new Event('load'));
    postFrom(frame, message('ready', { height: 301 }));
    expect(emit.mock.calls).toEqual([['ready']]);
  });

  it('is connected and ready again when it has loaded itself again', () => {
    const { frame, emit } = begin();
    for (let times = 0; times < 2; times++) {
      postFrom(frame, message('painted', { height: 300 }));
      postFrom(frame, message('ready', { height: 300 }));
      frame.dispatchEvent(new Event('load'));
    }
    expect(emit.mock.calls).toEqual([['ready'], ['ready']]);
  });

  it('is connected as soon as it has an origin if already present', () => {
    const { frame } = begin(true);
    const post = posts(frame);
    vi.advanceTimersByTime(1000);
    expect(post).not.toHaveBeenCalled();
    frame.dispatchEvent(new Event('load'));
    expect(post).toHaveBeenCalledTimes(1);
  });

  describe('that does not load', () => {
    /** The number of times that it was inserted again. */
    const loads = (frame: HTMLIFrameElement) => vi.spyOn(frame, 'before');

    it('is loaded twice more, after growing pauses, and then given up', () => {
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

    it('counts as an error page when it loads without a message', () => {
      const { frame } = begin();
      const again = loads(frame);
      frame.dispatchEvent(new Event('load'));
      vi.advanceTimersByTime(3999);
      expect(again).toHaveBeenCalledTimes(0);
      vi.advanceTimersByTime(1);
      expect(again).toHaveBeenCalledTimes(1);
    });

    it('is reloaded when the device is online again, even after giving up', () => {
      const { frame, emit } = begin();
      const again = loads(frame);
      dispatchEvent(new Event('online'));
      expect(again).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(600_000);
      expect(emit).toHaveBeenCalledTimes(1);
      dispatchEvent(new Event('online'));
      expect(again).toHaveBeenCalledTimes(4);
      postFrom(frame, message('ready', { height: 1 }));
      expect(emit).toHaveBeenLastCalledWith('ready');
    });

    it('gets all its retries again when online, and after being ready', () => {
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
      postFrom(frame, message('painted', { height: 300 }));
      postFrom(frame, message('ready', { height: 300 }));
      frame.dispatchEvent(new Event('load'));
      // The frame navigated by itself.
      frame.dispatchEvent(new Event('load'));
      vi.advanceTimersByTime(24_000);
      expect(again).toHaveBeenCalledTimes(8);
    });

    it('is reloaded once when painted but never ready, and then abandoned', () => {
      const { frame, emit, show } = begin();
      const again = loads(frame);
      for (let times = 0; times < 2; times++) {
        postFrom(frame, message('painted', { height: 300 }));
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

    it('is shown if it loads late', () => {
      const { frame, show } = begin();
      const again = loads(frame);
      vi.advanceTimersByTime(10_500);
      postFrom(frame, message('painted', { height: 300 }));
      vi.advanceTimersByTime(2000);
      expect(again).not.toHaveBeenCalled();
      expect(show).toHaveBeenLastCalledWith(true);
    });
  });

  it('raises the error of an unknown session once, without reloading', () => {
    const { frame, emit, show } = begin();
    const again = vi.spyOn(frame, 'before');
    const post = posts(frame);
    const detail = { code: 'not_found', message: 'This checkout link does not work' };
    postFrom(frame, message('error', { detail }));
    frame.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(600_000);
    expect(emit.mock.calls).toEqual([['error', detail]]);
    for (const spy of [again, post, show]) expect(spy).not.toHaveBeenCalled();
  });

  it('sends nothing to a document that is not the relay’s', () => {
    const { frame } = begin();
    const post = posts(frame);
    frame.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(3000);
    expect(post).not.toHaveBeenCalled();
  });

  it('leaves no timer and no listener behind', () => {
    const { frame, emit, stop } = begin(true);
    stop();
    stop();
    expect(vi.getTimerCount()).toBe(0);
    postFrom(frame, message('submit'));
    frame.dispatchEvent(new Event('load'));
    dispatchEvent(new Event('online'));
    expect(vi.getTimerCount()).toBe(0);
    expect(emit).not.toHaveBeenCalled();
  });
});
