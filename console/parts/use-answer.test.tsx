// @vitest-environment jsdom
import { act, render, renderHook } from '@testing-library/preact';
import type { ComponentChildren } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Change } from '../../shared/api/console.ts';
import { apiOf } from '../api/api.ts';
import { type App, AppContext } from '../app/app.tsx';
import { IntentForm } from '../intent/intent-form.tsx';
import en from '../locales/en.json' with { type: 'json' };
import { Dialog } from './dialog.tsx';
import { useAnswer } from './use-answer.ts';

const surroundings = {
  ...{ fetch: () => Promise.reject(new TypeError('offline')), wait: async () => undefined, csrf: () => '' },
  ...{ isIdle: () => false, signInAgain: async () => undefined },
};

/** The app around a component, with a function that announces changes. */
function inApp() {
  const listeners = new Set<(change: Change | undefined) => void>();
  const account = { id: 'demo', name: 'Demo' };
  const app: App = {
    ...{
      renew: () => undefined,
      me: { name: 'Ada', scopes: ['*'], accounts: [account], csrf: 'c' },
      account,
      words: en,
      locale: 'en',
    },
    api: apiOf(surroundings, 'demo'),
    route: { page: 'needs_you' },
    ...{ go: () => undefined, href: () => '/', may: () => true, isOutdated: false, storage: sessionStorage },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const wrapper = ({ children }: { children: ComponentChildren }) => (
    <AppContext.Provider value={app}>{children}</AppContext.Provider>
  );
  const announce = (change?: Change): void => {
    for (const listener of listeners) listener(change);
  };
  return { wrapper, announce };
}

const change: Change = { type: 'session.approved', subject: 'cs_1' };
const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reads soon after changes that were missed, whatever its pace', async () => {
  const { wrapper, announce } = inApp();
  const read = vi.fn(async () => 'answer');
  renderHook(() => useAnswer('key', read, () => true, { soonMs: 60_000 }), { wrapper });
  await pass(1000);
  announce(change);
  await pass(1000);
  expect(read).toHaveBeenCalledTimes(1);
  announce();
  await pass(1000);
  expect(read).toHaveBeenCalledTimes(2);
});

it('shows slow answers while changes go on', async () => {
  const { wrapper, announce } = inApp();
  let requests = 0;
  const read = async (): Promise<number> => {
    requests += 1;
    const own = requests;
    await new Promise((done) => setTimeout(done, 6000));
    return own;
  };
  const { result } = renderHook(() => useAnswer('key', read, () => true, { pauseMs: 5000 }), { wrapper });
  for (let second = 0; second < 22; second++) {
    announce(change);
    await pass(1000);
  }
  expect(result.current.answer).toBe(4);
});

it('leaves an earlier answer alone that comes late', async () => {
  const { wrapper } = inApp();
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const left = [...answers];
  const { result } = renderHook(() => useAnswer('key', async () => left.shift()?.promise), { wrapper });
  await pass(0);
  void act(() => void result.current.again());
  await act(async () => answers[1]?.resolve('second'));
  await act(async () => answers[0]?.resolve('first'));
  expect(result.current).toMatchObject({ answer: 'second', isReading: false });
});

it('frees the dialog when its form is replaced', async () => {
  const { wrapper } = inApp();
  const sending = { phase: { step: 'sending' as const }, done: '', action: 'End', onSend: () => undefined };
  const Content = ({ isOpen }: { isOpen: boolean }) =>
    isOpen ? <IntentForm {...sending}>fields</IntentForm> : <p>ended</p>;
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const dialog = (isOpen: boolean) => (
    <Dialog title="End" onClose={() => undefined}>
      <Content isOpen={isOpen} />
    </Dialog>
  );
  const { rerender, container } = render(dialog(true), { wrapper });
  const isBusy = (): string | null | undefined => container.querySelector('dialog')?.getAttribute('aria-busy');
  expect(isBusy()).toBe('true');
  rerender(dialog(false));
  expect(isBusy()).toBe('false');
});
