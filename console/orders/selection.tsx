import { useLayoutEffect, useState } from 'preact/hooks';
import type { MoneyAction } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { useKeptIntents } from '../intent/use-intent.ts';
import { counted, fill } from '../locales/words.ts';
import { Later, type Load } from '../parts/later.tsx';
import { isBare } from '../parts/table.tsx';
import { isolated } from '../parts/text.tsx';
import type { BatchProps } from './batch/batch-dialog.tsx';

const loadBatch: Load<BatchProps> = () => import('./batch/batch-dialog.tsx').then((chunk) => chunk.BatchDialog);

const actions: readonly MoneyAction[] = ['refund', 'capture', 'cancel', 'review'];

/** The key under which an unanswered batch is kept. */
const SUBJECT = ['batch'];

/** The maximum size of a batch, so that a person can read through its dialog. */
const MAX_ORDERS = 100;

/** The orders selected for one batch, on any page of the list; undefined while selecting is off. */
export type Selection = {
  /** Whether the person may act on orders. */
  isOffered: boolean;
  chosen: ReadonlySet<string> | undefined;
  set: (chosen: ReadonlySet<string> | undefined) => void;
};

/** The selection of a list that shows these orders. The key x selects the one in focus. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, set] = useState<ReadonlySet<string>>();
  const isOffered = useActions().length > 0;
  useLayoutEffect(() => {
    if (!isOffered) return;
    const onKey = (event: KeyboardEvent): void => {
      const links = [...document.querySelectorAll('.orders .row-link')];
      const orderNo = shown[links.findIndex((link) => link.isSameNode(document.activeElement))];
      if (event.key !== 'x' || !isBare(event) || orderNo === undefined) return;
      event.preventDefault();
      set((before = new Set()) => toggled(before, orderNo));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return { isOffered, chosen, set };
}

/** The actions on orders that the person may take. */
function useActions(): MoneyAction[] {
  const { may } = useApp();
  return actions.filter(may);
}

function toggled(chosen: ReadonlySet<string>, orderNo: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(orderNo) && next.size < MAX_ORDERS) next.add(orderNo);
  return next;
}

/** The box that selects an order. */
export function PickBox({
  orderNo,
  selection: { chosen = new Set(), set },
}: {
  orderNo: string;
  selection: Selection;
}) {
  const { batch } = useApp().words;
  return (
    <input
      type="checkbox"
      aria-label={fill(batch.pick, { order: isolated(orderNo) })}
      checked={chosen.has(orderNo)}
      onChange={() => set(toggled(chosen, orderNo))}
    />
  );
}

/** Turns selecting on and off. */
export function SelectButton({ selection: { isOffered, chosen, set } }: { selection: Selection }) {
  const { batch } = useApp().words;
  if (!isOffered) return null;
  return (
    <button type="button" aria-pressed={chosen !== undefined} onClick={() => set(chosen ? undefined : new Set())}>
      {batch.select}
    </button>
  );
}

/** The selection, its actions, and their dialog. It continues an unanswered batch. */
export function SelectionBar(props: { selection: Selection; shown: readonly string[]; onMoved: () => void }) {
  const { selection, shown, onMoved } = props;
  const { chosen, set } = selection;
  const { words, locale } = useApp();
  const { batch: names } = words;
  const kept = useKeptIntents();
  const own = useActions();
  const [open, setOpen] = useState<BatchProps['chosen'] | 'earlier'>(() =>
    kept.find(SUBJECT) ? 'earlier' : undefined,
  );
  const dialog = open && (
    <Later
      load={loadBatch}
      with={{
        subject: SUBJECT,
        ...(open === 'earlier' ? {} : { chosen: open }),
        onMoved: () => {
          // The bar stays: it contains the button that opened the dialog and gets the focus back.
          if (chosen) set(new Set());
          onMoved();
        },
        onClose: () => setOpen(undefined),
      }}
    />
  );
  if (chosen === undefined) return dialog || null;
  const rest = shown.filter((orderNo) => !chosen.has(orderNo));
  return (
    <>
      <section class="selection" aria-label={names.selection}>
        <p role="status">
          {counted(locale, names.selected, chosen.size)}
          {chosen.size === MAX_ORDERS && ` ${names.maximum}`}
        </p>
        {/* It stays even if there is nothing left to select, because it may have the focus. */}
        <button
          type="button"
          class="plain"
          aria-disabled={rest.length === 0}
          onClick={() => rest.length > 0 && set(new Set([...chosen, ...rest].slice(0, MAX_ORDERS)))}
        >
          {names.pick_all}
        </button>
        {own.map((action) => (
          <button
            key={action}
            type="button"
            aria-disabled={chosen.size === 0}
            onClick={() => chosen.size > 0 && setOpen({ action, orderNos: [...chosen] })}
          >
            {words.order[action]}
          </button>
        ))}
      </section>
      {dialog}
    </>
  );
}
