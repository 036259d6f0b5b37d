import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Change, Me } from '../../shared/api/console.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import type { Api } from '../api/api.ts';
import type { Words } from '../locales/words.ts';
import type { Route } from './route.ts';

/** What every part of the page may use. */
export type App = {
  me: Me;
  /** Goes on as who is signed in under a new token. */
  renew: (me: Me) => void;
  account: Me['accounts'][number];
  api: Api;
  words: Words;
  locale: string;
  route: Route;
  /** Goes to a route; `replace` leaves no entry in the history. */
  go: (route: Route, replace?: 'replace') => void;
  /** The address of a route in this account. */
  href: (route: Route) => string;
  may: (scope: Scope) => boolean;
  /** Whether the relay has another version than this page, so that it is to be loaded again. */
  isOutdated: boolean;
  /** What this tab keeps, whatever page of the console it shows. */
  storage: Storage;
  /** Hears of what changes in the account until the returned function is called; undefined where changes may have been missed. */
  onChange: (listener: (change: Change | undefined) => void) => () => void;
};

export const AppContext = createContext<App | undefined>(undefined);

/** The app around a component. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('outside the app');
  return app;
}

/** A link within the console: a plain click goes there without a load, every other one is the browser's. */
export function Link(props: { to: Route; children: ComponentChildren; isCurrent?: boolean; class?: string }) {
  const { go, href } = useApp();
  const { to, children, isCurrent = false } = props;
  return (
    <a
      href={href(to)}
      class={props.class}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
