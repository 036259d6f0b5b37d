import { useLayoutEffect } from 'preact/hooks';

/** An element and its ancestors, nearest first, without the body. */
export function pathTo(element: EventTarget | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element.isSameNode(document.body)) return [];
  return [element, ...pathTo(element.parentElement)];
}

/** Focuses the first element of a path that is still in the page; in a table, the link of its row. */
export function focusNearest(path: readonly HTMLElement[]): void {
  const left = path.find((one) => one.isConnected);
  const isFirst = path[0]?.isConnected === true;
  const target = (!isFirst && left?.closest('tr')?.querySelector<HTMLElement>('.row-link')) || left;
  if (target && target.tabIndex < 0 && !target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    // A later click into the element must not move the focus to it.
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target?.focus({ preventScroll: !isFirst });
}

/**
 * Keeps the focus near a focused element that is removed, such as the button of an action that is no longer possible. Browsers would
 * move the focus to the body, and screen readers would start at the top of the page.
 */
export function useFocusNearRemoved(): void {
  useLayoutEffect(() => {
    let path: readonly HTMLElement[] = [];
    const remember = ({ target }: FocusEvent): void => {
      path = pathTo(target);
    };
    const removed = new MutationObserver(() => {
      const hadFocus = path[0];
      if (hadFocus?.isConnected === false && document.activeElement === document.body) focusNearest(path);
    });
    document.addEventListener('focusin', remember);
    removed.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      removed.disconnect();
    };
  }, []);
}
