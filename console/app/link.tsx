import type { ComponentChildren } from 'preact';
import { useApp } from './app.ts';
import type { Route } from './route.ts';

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
