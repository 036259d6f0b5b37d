import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The head of a column: its name, one over numbers, or one that only screen readers tell. */
type Head = string | { number: string } | { hidden: string };

/** A table of records, which j and k move through. Browsers forget its roles where a phone shows it as a list: they are said again. */
export function Table(props: { class: string; heads: readonly Head[]; children: ComponentChildren }) {
  const rows = useRowKeys();
  return (
    <table class={`list ${props.class}`} role="table" ref={rows}>
      <Heads heads={props.heads} />
      <tbody role="rowgroup">{props.children}</tbody>
    </table>
  );
}

/** The heads of a table's columns; those that are `isHidden` only screen readers tell. */
export function Heads({ heads, isHidden = false }: { heads: readonly Head[]; isHidden?: boolean }) {
  return (
    <thead class={isHidden ? 'hidden' : undefined} role="rowgroup">
      <Row>{heads.map(headOf)}</Row>
    </thead>
  );
}

function headOf(head: Head) {
  if (typeof head === 'string') {
    return (
      <th key={head} scope="col">
        {head}
      </th>
    );
  }
  return 'number' in head ? (
    <th key={head.number} scope="col" class="number">
      {head.number}
    </th>
  ) : (
    <th key={head.hidden} scope="col">
      <span class="hidden">{head.hidden}</span>
    </th>
  );
}

export function Row({ children }: { children: ComponentChildren }) {
  return <tr role="row">{children}</tr>;
}

/** A cell; `is` names its column. */
export function Cell({ is, children }: { is: string; children?: ComponentChildren }) {
  return (
    <td role="cell" class={is}>
      {children}
    </td>
  );
}

/** One fact of a list of them, with its name. */
export function Fact(props: { name: string; class?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.class}>{props.children}</dd>
    </div>
  );
}

/** Moves through the rows of a table with j and k, by the focus of each row's link, which Enter then opens. */
function useRowKeys() {
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
