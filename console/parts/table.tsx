import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeptRow } from './kept-row.ts';

/** A column of a table: the class of its cells, its head, and the content of a cell. A hidden head is only for screen readers. */
export type Column<Entry> = {
  is: string;
  head: string | { hidden: string };
  cell: (entry: Entry) => ComponentChildren;
};

export function column<Entry>(is: string, head: Column<Entry>['head'], cell: Column<Entry>['cell']): Column<Entry> {
  return { is, head, cell };
}

type Records<Entry> = {
  columns: readonly Column<Entry>[];
  entries: readonly Entry[];
  keyOf: (entry: Entry) => string;
  /** Whether the heads are only for screen readers. */
  isHeadHidden?: boolean;
};

/** A table of records. The keys j and k move between the rows. */
export function Table<Entry>({ class: own, ...records }: Records<Entry> & { class: string }) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeysIn(table);
  useKeptRow(table);
  return (
    <table class={`list ${own}`} role="table" ref={table}>
      <Rows {...records} />
    </table>
  );
}

/** The heads and rows of a table. The explicit roles stay when a phone's layout shows the table as a list. */
export function Rows<Entry>({ columns, entries, keyOf, isHeadHidden = false }: Records<Entry>) {
  return (
    <>
      <thead class={isHeadHidden ? 'hidden' : undefined} role="rowgroup">
        <tr role="row">
          {columns.map(({ is, head }) => (
            <th key={is} scope="col" class={is.startsWith('number') && !isHeadHidden ? 'number' : undefined}>
              {typeof head === 'string' ? head : <span class="hidden">{head.hidden}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {entries.map((entry) => (
          <tr key={keyOf(entry)} role="row">
            {columns.map(({ is, cell }) => (
              <td key={is} role="cell" class={is}>
                {cell(entry)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

/** A name and its value. Facts with the same name need an `id` each. */
export type Fact = {
  name: string;
  value: ComponentChildren;
  class?: string;
  note?: ComponentChildren;
  id?: string;
};

/** A list of facts. False entries are skipped. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.id ?? fact.name}>
              <dt>{fact.name}</dt>
              <dd class={fact.class}>{fact.value}</dd>
              {fact.note && <dd>{fact.note}</dd>}
            </div>
          ),
      )}
    </dl>
  );
}

const steps: Readonly<Record<string, 1 | -1 | undefined>> = { j: 1, k: -1 };
const arrowSteps: typeof steps = { ...steps, ArrowDown: 1, ArrowUp: -1 };

/**
 * Moves between the rows of the tables within an element with j and k. It focuses the link of a row, which Enter opens.
 * @param more `arrows`: with the arrow keys too, also out of the search box; elsewhere they scroll the page
 */
export function useRowKeysIn(holder: RefObject<HTMLElement | null>, more?: 'arrows'): void {
  useLayoutEffect(() => {
    const move = (event: KeyboardEvent): void => {
      const step = (more === 'arrows' ? arrowSteps : steps)[event.key];
      const leavesBox = more === 'arrows' && event.key === 'ArrowDown' && isSearchBox(event.target);
      if (step === undefined || !(isBare(event) || leavesBox)) return;
      const links = [...(holder.current?.querySelectorAll<HTMLAnchorElement>('.row-link') ?? [])].filter(
        (link) => link.checkVisibility?.() ?? true,
      );
      const at = links.findIndex((one) => one.isSameNode(document.activeElement));
      const next = step > 0 ? at + 1 : Math.max(at - 1, 0);
      const link = links[Math.min(next, links.length - 1)];
      if (!link) return;
      event.preventDefault();
      link.focus();
      link.scrollIntoView?.({ block: 'nearest' });
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, [holder, more]);
}

function isSearchBox(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('.everywhere input');
}

/** Whether a key is a command: without a modifier, no dialog open, and not typed into a field. */
export function isBare(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (document.querySelector('dialog[open]')) return false;
  const { target } = event;
  return !(target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]'));
}
