import { useApp } from '../../app/app.tsx';
import type { Phase } from '../../intent/action.ts';
import { amountOf } from '../../intent/money-action.ts';
import type { Words } from '../../locales/words.ts';
import { Badge, OutcomeBadge } from '../../parts/state.tsx';
import { type Column, column, Rows } from '../../parts/table.tsx';
import { Foreign, harmless, money } from '../../parts/text.tsx';
import type { Planned } from './plan.ts';

type Row = Planned & { phase: Phase | undefined };

/** The orders of a batch: the amount of each, or why it is left out, and its progress. `phases` belong to the items. */
export function BatchRows(props: { planned: readonly Planned[]; phases: readonly (Phase | undefined)[] }) {
  const { words, locale } = useApp();
  const { orders: names, batch } = words;
  let items = 0;
  const rows = props.planned.map((one): Row => {
    const phase = 'item' in one ? props.phases[items] : undefined;
    if ('item' in one) items += 1;
    return { ...one, phase };
  });
  const columns: Column<Row>[] = [
    column('what', names.order, (row) => (
      <>
        <Foreign text={row.orderNo} />
        <span class="second">{reasonOf(words, row)}</span>
      </>
    )),
    column('number', names.amount, (row) =>
      'item' in row ? money(locale, row.item.currency, amountOf(row.item)) : words.nothing,
    ),
    column('state', names.status, (row) => <RowState row={row} />),
  ];
  return (
    <>
      <table class="list batch" role="table">
        <Rows columns={columns} entries={rows} keyOf={({ orderNo }) => orderNo} />
      </table>
      {rows.some((row) => 'leftOut' in row) && items > 0 && <p class="hint">{batch.left_out_hint}</p>}
    </>
  );
}

function RowState({ row }: { row: Row }) {
  const { batch, outcomes } = useApp().words;
  if ('leftOut' in row) return <Badge tone="quiet">{batch.left_out}</Badge>;
  const { phase } = row;
  switch (phase?.step) {
    case undefined:
      return <span class="quiet-text">{batch.ready}</span>;
    case 'sending':
      return <Badge tone="busy">{batch.steps.sending}</Badge>;
    case 'unanswered':
      return <Badge tone="open">{batch.steps.unanswered}</Badge>;
    case 'unknown':
      return <Badge tone="open">{outcomes.unknown}</Badge>;
    case 'held':
      return <Badge tone="open">{batch.steps.held}</Badge>;
    case 'writing':
      return <Badge tone="bad">{batch.steps.refused}</Badge>;
    case 'done':
      return <OutcomeBadge outcome={phase.outcome} />;
  }
}

/** Why an order is left out or failed. */
function reasonOf({ batch }: Words, row: Row): string {
  if ('leftOut' in row) return typeof row.leftOut === 'string' ? batch.why[row.leftOut] : row.leftOut.rule;
  if (row.phase?.step === 'writing') return harmless(row.phase.refusal?.message ?? '');
  return row.phase?.step === 'done' && row.phase.outcome === 'failed' ? harmless(row.phase.message ?? '') : '';
}
