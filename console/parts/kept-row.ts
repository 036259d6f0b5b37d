import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { isObject } from '../../shared/checkout/is-object.ts';

/** The scroll position of a page that was left, and the address that was opened from it. Stored in the history. */
type KeptRow = { row: string; scrolled: number };

/** Stores the position of the page that is left now. */
export function keepRow(row: string): void {
  const kept: KeptRow = { row, scrolled: window.scrollY };
  window.history.replaceState(kept, '');
}

function isKept(state: unknown): state is KeptRow {
  return isObject(state) && typeof state.row === 'string' && typeof state.scrolled === 'number';
}

/**
 * Returns to the row whose link was followed, once its table is rendered: restores the scroll position and focuses the link.
 * @param isThere whether the rows are rendered
 */
export function useKeptRow(holder: RefObject<HTMLElement | null>, isThere = true): void {
  useLayoutEffect(() => {
    const kept: unknown = window.history.state;
    if (!isThere || !isKept(kept)) return;
    const links = holder.current?.querySelectorAll<HTMLAnchorElement>('.row-link') ?? [];
    const link = [...links].find((one) => one.getAttribute('href') === kept.row);
    if (!link) return;
    // Only once: a later read of the list must not scroll.
    window.history.replaceState(null, '');
    window.scrollTo(0, kept.scrolled);
    link.focus({ preventScroll: true });
    link.scrollIntoView?.({ block: 'nearest' });
  }, [holder, isThere]);
}
