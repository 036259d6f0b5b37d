import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { isObject } from '../../shared/checkout/is-object.ts';

/** Where a person left a page: how far it was scrolled, and the address that they went to. Kept in the history. */
type KeptRow = { row: string; scrolled: number };

/** Keeps with the page that is left now where it was left. */
export function keepRow(row: string): void {
  const kept: KeptRow = { row, scrolled: window.scrollY };
  window.history.replaceState(kept, '');
}

function isKept(state: unknown): state is KeptRow {
  return isObject(state) && typeof state.row === 'string' && typeof state.scrolled === 'number';
}

/**
 * Returns to the row that a person left through, once its table is there: to its place on the screen, and with the focus on its link.
 * @param isThere whether the rows are there
 */
export function useKeptRow(holder: RefObject<HTMLElement | null>, isThere = true): void {
  useLayoutEffect(() => {
    const kept: unknown = window.history.state;
    if (!isThere || !isKept(kept)) return;
    const links = holder.current?.querySelectorAll<HTMLAnchorElement>('.row-link') ?? [];
    const link = [...links].find((one) => one.getAttribute('href') === kept.row);
    if (!link) return;
    // Once: a later read of the list moves nothing.
    window.history.replaceState(null, '');
    window.scrollTo(0, kept.scrolled);
    link.focus({ preventScroll: true });
    link.scrollIntoView?.({ block: 'nearest' });
  }, [holder, isThere]);
}
