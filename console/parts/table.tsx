import type { ComponentChildren } from 'preact';
import { useRowKeys } from './use-row-keys.ts';

/** The head of a column: its name, one over numbers, or one that only screen readers tell. */
type Head = string | { number: string } | { hidden: string };

/** A table of records, which j and k move through. Browsers forget its roles where a phone shows it as a list: they are said again. */
export function Table(props: { class: string; heads: readonly Head[]; children: ComponentChildren }) {
  const rows = useRowKeys();
  return (
    <table class={`list ${props.class}`} role="table" ref={rows}>
      <thead role="rowgroup">
        <Row>{props.heads.map(headOf)}</Row>
      </thead>
      <tbody role="rowgroup">{props.children}</tbody>
    </table>
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
