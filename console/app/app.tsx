import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Change, Me } from '../../shared/api/console.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import type { Api } from '../api/api.ts';
import type { Words } from '../locales/words.ts';
import type { Route } from './route.ts';

/** The context that every part of the page can use. */
export type App = {
  me: Me;
  /** Replaces the signed-in person and their token. */
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
  /** Whether the relay has another version than this page, so that the page must be reloaded. */
  isOutdated: boolean;
  /** The data that this tab keeps across the pages of the console. */
  storage: Storage;
  /** Subscribes to changes of the account; returns the function that unsubscribes. `undefined` means that changes may have been missed. */
  onChange: (listener: (change: Change | undefined) => void) => () => void;
};

export const AppContext = createContext<App | undefined>(undefined);

/** The app around a component. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('outside the app');
  return app;
}

/** A link within the console. A plain click navigates without a page load; the browser handles every other click. */
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
