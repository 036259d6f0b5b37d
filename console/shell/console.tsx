import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Change, Me } from '../../shared/api/console.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { apiOf, type SignInApi, signInApi } from '../api/api.ts';
import { listenForChanges } from '../api/live.ts';
import { fetchCheckingVersion, type Surroundings } from '../api/send.ts';
import { type App, AppContext } from '../app/app.tsx';
import { addressOf, type Route, routeOf } from '../app/route.ts';
import type { Language } from '../locales/words.ts';
import { keepRow } from '../parts/kept-row.ts';
import { ReloadNotice } from '../parts/state.tsx';
import { ChooseAccount } from './choose-account.tsx';
import { EnrolPage } from './enrol.tsx';
import { Screen, Shell } from './shell.tsx';
import { OtherPerson, SignInAgain, SignInPage } from './sign-in.tsx';

/** The parts of the browser that the console uses. */
type Browser = { fetch: typeof fetch; EventSource: typeof EventSource; storage: Storage };

type Props = { browser: Browser; language: Language };

/** The whole page of this `version`: the sign-in, and then the shell with a screen. */
export function Console({ browser: given, language, version }: Props & { version: string }) {
  const [isOutdated, setOutdated] = useState(false);
  const browser = useMemo(
    () => ({ ...given, fetch: fetchCheckingVersion(given.fetch, version, () => setOutdated(true)) }),
    [given, version],
  );
  const signIn = useMemo(() => signInApi({ fetch: browser.fetch, wait }), [browser]);
  const [me, setMe] = useState<Me | 'signed_out' | 'not_read'>('not_read');
  const [fault, setFault] = useState<unknown>();
  const read = useCallback(() => {
    setFault(undefined);
    signIn.me().then((answer) => setMe(answer ?? 'signed_out'), setFault);
  }, [signIn]);
  useEffect(read, [read]);
  if (me === 'not_read') {
    return fault === undefined ? null : (
      <main class="sign-in">
        <p role="alert">{language.words.no_connection}</p>
        <button type="button" onClick={read}>
          {language.words.try_again}
        </button>
      </main>
    );
  }
  if (me === 'signed_out') {
    return (
      <>
        <ReloadNotice words={language.words} isOutdated={isOutdated} />
        <SignInPage language={language} signIn={signIn} onSignedIn={setMe} />
      </>
    );
  }
  const onSignedOut = (): void => setMe('signed_out');
  if (me.must_enrol) {
    return (
      <>
        <ReloadNotice words={language.words} isOutdated={isOutdated} />
        <EnrolPage language={language} signIn={signIn} me={me} onEnrolled={setMe} onSignedOut={onSignedOut} />
      </>
    );
  }
  return <SignedIn {...{ browser, language, isOutdated, signIn, onSignedOut }} first={me} />;
}

type SignedInProps = Props & { isOutdated: boolean; signIn: SignInApi; first: Me; onSignedOut: () => void };

function SignedIn({ browser, language, isOutdated, signIn, first, onSignedOut }: SignedInProps) {
  const [me, setMe] = useState(first);
  const csrf = useRef(first.csrf);
  const take = useCallback((again: Me) => {
    csrf.current = again.csrf;
    setMe(again);
  }, []);
  const { expiry, signInAgain, signedIn } = useExpiry(signIn, first.name, take);
  const isIdle = useIdle();
  const { route, go, href, account, lacks } = useAddress(me);
  const surroundings = useMemo<Surroundings>(
    () => ({ fetch: browser.fetch, wait, csrf: () => csrf.current, isIdle, signInAgain }),
    [browser, isIdle, signInAgain],
  );
  const api = useMemo(() => apiOf(surroundings, account.id), [surroundings, account.id]);
  const onChange = useChanges(browser, api.livePath);
  const may = useCallback((scope: Scope) => me.scopes.includes('*') || me.scopes.includes(scope), [me]);
  const app = useMemo<App>(
    () => ({
      ...{ me, renew: take, account, api, ...language, route, go, href, may, isOutdated, onChange },
      storage: browser.storage,
    }),
    [browser, me, take, account, api, language, route, go, href, may, isOutdated, onChange],
  );
  return (
    <AppContext.Provider value={app}>
      <Shell onSignOut={() => signIn.signOut(csrf.current).then(onSignedOut)}>
        {lacks === undefined ? <Screen key={account.id} /> : <ChooseAccount lacks={lacks} route={route} />}
      </Shell>
      {expiry === 'expired' && <SignInAgain name={me.name} signIn={signIn} onSignedIn={signedIn} />}
      {expiry === 'other_person' && <OtherPerson />}
    </AppContext.Provider>
  );
}

/**
 * Whether the sign-in has expired, and a promise for the requests that wait for a new one. If another person signs in, the requests
 * are never sent.
 */
function useExpiry(signIn: SignInApi, name: string, take: (again: Me) => void) {
  const [expiry, setExpiry] = useState<'signed_in' | 'expired' | 'other_person'>('signed_in');
  const waiting = useRef<PromiseWithResolvers<void> | undefined>(undefined);
  const signedIn = useCallback(
    (again: Me) => {
      if (again.name !== name) return setExpiry('other_person');
      take(again);
      setExpiry('signed_in');
      waiting.current?.resolve();
      waiting.current = undefined;
    },
    [name, take],
  );
  const signInAgain = useCallback(() => {
    const isFirst = !waiting.current;
    waiting.current ??= Promise.withResolvers<void>();
    const own = waiting.current;
    // Another tab or an authenticating proxy may have signed in already, even since an earlier request was refused.
    signIn.me().then(
      (again) => {
        if (again) signedIn(again);
        else if (waiting.current === own) setExpiry('expired');
      },
      (error: unknown) => {
        if (!isFirst || waiting.current !== own) return;
        waiting.current = undefined;
        own.reject(error);
      },
    );
    return own.promise;
  }, [signIn, signedIn]);
  // A layout effect: a plain effect runs after the paint and could miss a focus event.
  useLayoutEffect(() => {
    if (expiry !== 'expired') return;
    // The person may have signed in in another tab.
    const look = (): void => {
      signIn.me().then(
        (again) => again && signedIn(again),
        () => undefined,
      );
    };
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [expiry, signIn, signedIn]);
  return { expiry, signInAgain, signedIn };
}

/**
 * The address as a route in an account, and a function that navigates. If `lacks` is set, the page is not shown: it is the account in
 * the address if the person has no access to it. It is empty if the address of an order, operation or webhook names no account and the
 * person has several.
 */
function useAddress(me: Me) {
  const { accounts } = me;
  const readAddress = useCallback(() => {
    const ids = accounts.map(({ id }) => id);
    return routeOf(new URL(window.location.href), ids);
  }, [accounts]);
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const read = (): void => setAddress(readAddress());
    window.addEventListener('popstate', read);
    return () => window.removeEventListener('popstate', read);
  }, [readAddress]);
  const [first = nowhere] = accounts;
  const own = accounts.find(({ id }) => id === address.account);
  const account = own ?? first;
  const { route } = address;
  const isOfOne = route.page === 'order' || route.page === 'operation' || route.page === 'webhook';
  const lacks = own ? undefined : (address.account ?? (isOfOne && accounts.length > 1 ? '' : undefined));
  const href = useCallback((to: Route) => addressOf(to, account.id), [account.id]);
  const go = useCallback(
    (route: Route, replace?: 'replace') => {
      const url = href(route);
      if (replace) window.history.replaceState(null, '', url);
      else {
        keepRow(url);
        window.history.pushState(null, '', url);
      }
      setAddress(readAddress());
    },
    [href, readAddress],
  );
  return { route, account, lacks, go, href };
}

/** One stream of an account's changes, shared by all listeners. */
function useChanges(browser: Browser, path: string): App['onChange'] {
  const listeners = useRef(new Set<(change: Change | undefined) => void>());
  useEffect(() => {
    const ending = new AbortController();
    const notify = (change: Change | undefined): void => {
      for (const listener of listeners.current) listener(change);
    };
    listenForChanges(browser, path, { signal: ending.signal, onChange: notify, onGap: () => notify(undefined) });
    return () => ending.abort();
  }, [browser, path]);
  return useCallback((listener) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  }, []);
}

/** Returns a function that reports whether the page was idle for a minute. */
function useIdle(): () => boolean {
  const touched = useRef(Date.now());
  useEffect(() => {
    const touch = (): void => {
      touched.current = Date.now();
    };
    const events = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const event of events) window.addEventListener(event, touch, { passive: true });
    return () => {
      for (const event of events) window.removeEventListener(event, touch);
    };
  }, []);
  return useCallback(() => Date.now() - touched.current > IDLE_MS, []);
}

const IDLE_MS = 60_000;

const nowhere: Me['accounts'][number] = { id: '', name: '' };

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
