import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Moves through the rows of a table with j and k, by the focus of each row's link, which Enter then opens. */
export function useRowKeys() {
  const table = useRef<HTMLTableElement>(null);
  useRowKeysIn(table);
  return table;
}

/** The same for all tables within an element. */
export function useRowKeysIn(holder: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const move = (event: KeyboardEvent): void => {
      if (!isBare(event) || (event.key !== 'j' && event.key !== 'k')) return;
      const links = [...(holder.current?.querySelectorAll<HTMLAnchorElement>('.row-link') ?? [])].filter(
        (link) => link.checkVisibility?.() ?? true,
      );
      const at = links.findIndex((one) => one.isSameNode(document.activeElement));
      const next = event.key === 'j' ? at + 1 : Math.max(at - 1, 0);
      const link = links[Math.min(next, links.length - 1)];
      if (!link) return;
      event.preventDefault();
      link.focus();
      link.scrollIntoView?.({ block: 'nearest' });
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, [holder]);
}

/** Whether a key means a command: alone, with no dialog open, and not typed into a field. */
export function isBare(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (document.querySelector('dialog[open]')) return false;
  const { target } = event;
  return !(target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]'));
}
