import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MoneyAction } from '../../api/api.ts';
import { useApp } from '../../app/app.tsx';
import type { Phase } from '../../intent/action.ts';
import { AmountRules, amountRules } from '../../intent/amount-rules.tsx';
import { ExtraField } from '../../intent/extra-field.tsx';
import { IntentForm } from '../../intent/intent-form.tsx';
import { amountOf, meanwhileOf, refuseChanged } from '../../intent/money-action.ts';
import { useIntent, useKeptIntents } from '../../intent/use-intent.ts';
import { counted, fill } from '../../locales/words.ts';
import { CloseButton, Field, ReadDialog } from '../../parts/dialog.tsx';
import { isolated, money, Sentence } from '../../parts/text.tsx';
import { useAnswer } from '../../parts/use-answer.ts';
import { BatchRows } from './batch-rows.tsx';
import { extraOf, isLarge, type Planned, planOf, sumsOf, withExtra } from './plan.ts';
import { type Batch, countsOf, sendBatch } from './send-batch.ts';

export type BatchProps = {
  /** The key under which an unanswered batch is kept. A person has one batch at a time. */
  subject: readonly string[];
  /** The action and its orders. Without them, the dialog continues the unanswered batch. */
  chosen?: { action: MoneyAction; orderNos: readonly string[] } | undefined;
  onMoved: () => void;
  onClose: () => void;
};

/** The number of orders that are read at the same time. */
const AT_ONCE = 4;

/** Refunds, captures, cancels or reviews the payments of selected orders. It reads each order first, and lists those that it leaves out. */
export function BatchDialog({ subject, chosen, onMoved, onClose }: BatchProps) {
  const app = useApp();
  const { api, words } = app;
  const { intent, earlier, submit } = useIntent<Batch>(subject);
  const action = earlier?.action ?? chosen?.action ?? 'refund';
  const orderNos = chosen?.orderNos ?? [];
  const plan = useRef<Promise<readonly Planned[]>>(undefined);
  const readPlan = async (): Promise<readonly Planned[]> => {
    if (earlier) return [];
    const ruleOf = (amount: string, currency: string): string | undefined =>
      amountRules(app, action, amount, currency).fault;
    const planned: Planned[] = [];
    for (let at = 0; at < orderNos.length; at += AT_ONCE) {
      const read = orderNos.slice(at, at + AT_ONCE).map(async (orderNo) => {
        const order = await api.order(orderNo).catch(() => undefined);
        return planOf(action, orderNo, order, ruleOf);
      });
      planned.push(...(await Promise.all(read)));
    }
    return planned;
  };
  // Read once: the request contains what the person saw.
  const reading = useAnswer('batch', () => {
    plan.current ??= readPlan();
    return plan.current;
  });
  const planned = earlier ? plannedBefore(earlier) : reading.answer;
  return (
    <ReadDialog title={words.batch.titles[action]} reading={reading} answer={planned} onClose={onClose}>
      {(all) => <BatchForm {...{ subject, action, planned: all, intent, earlier, submit, onMoved }} />}
    </ReadDialog>
  );
}

/** The plan of a batch that was sent before. */
function plannedBefore({ items, seen }: Batch): Planned[] {
  return items.flatMap((item, at) => {
    const payment = seen[at];
    return payment ? [{ orderNo: item.order_no, item, seen: payment }] : [];
  });
}

type FormProps = Pick<ReturnType<typeof useIntent<Batch>>, 'intent' | 'earlier' | 'submit'> & {
  subject: readonly string[];
  action: MoneyAction;
  planned: readonly Planned[];
  onMoved: () => void;
};

function BatchForm({ subject, action, planned, intent, earlier, submit, onMoved }: FormProps) {
  const app = useApp();
  const { api, me, words, locale } = app;
  const { batch: names, dialog } = words;
  const [extra, setExtra] = useState(extraOf(earlier?.items[0]));
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [phases, setPhases] = useState<Readonly<Record<number, Phase>>>({});
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const kept = useKeptIntents();
  const isWriting = intent.phase.step === 'writing';
  useLayoutEffect(() => {
    // The focused button disappeared after the orders were read. The first button sends nothing new.
    form.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, []);
  const phaseOf = (at: number): Phase | undefined => {
    const { [at]: phase } = phases;
    if (phase || !earlier) return phase;
    if (intent.phase.step === 'unknown') return intent.phase;
    // An earlier page may have sent some of the items.
    return at < earlier.begun ? { step: 'unanswered' } : undefined;
  };
  const sendable = planned.flatMap((one) => ('item' in one ? [one] : []));
  const items = sendable.map(({ item }) => item);
  const count = String(items.length);
  if (items.length === 0) {
    return (
      <>
        <p class="dialog-text">{names.none[action]}</p>
        <BatchRows {...{ planned, phases: [] }} />
        <CloseButton />
      </>
    );
  }
  const sums = sumsOf(items);
  const isTyped = isWriting && isLarge(sums, me.confirm_above ?? {});
  const countFault = isTyped && typed.trim() !== count ? names.not_count : undefined;
  const flagFault = action === 'review' && isWriting && extra.trim() === '' ? dialog.required : undefined;

  const send = () => {
    setChecked(true);
    if (countFault !== undefined || flagFault !== undefined) return undefined;
    const batch: Batch = {
      ...{ action, items: items.map((item) => withExtra(action, item, extra.trim())) },
      ...{ seen: sendable.map(({ seen }) => seen), begun: 0 },
    };
    const isAgain = (at: number): boolean => {
      const phase = phaseOf(at);
      return phase !== undefined && phase.step !== 'writing';
    };
    const check = async (at: number): Promise<void> => {
      const one = sendable[at];
      if (!one) return;
      const { item, seen } = one;
      const shown = (amount: string): string => money(locale, item.currency, amount);
      const order = await api.order(item.order_no);
      refuseChanged(order, action, item, words, (now) => meanwhileOf(words, seen, now, shown));
    };
    const onPhase = (at: number, phase: Phase): void => setPhases((before) => ({ ...before, [at]: phase }));
    return submit(batch, (sent, key) => {
      const onBegun = (at: number): void => {
        sent.begun = Math.max(sent.begun, at + 1);
        const found = kept.find(subject);
        if (found?.key === key) kept.keep({ ...found, body: sent });
      };
      return sendBatch(api, sent, key, { isAgain, check, onBegun, onPhase });
    }).then(onMoved);
  };

  // One notice for each threshold above which another person must approve.
  const held = new Map(
    items
      .map((item) => amountRules(app, action, amountOf(item), item.currency))
      .flatMap((rules) => (isWriting && rules.isHeld ? [[rules.above, rules]] : [])),
  );
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const counts = countsOf(Object.values(phases));
  const ended = (['done', 'held', 'failed', 'unknown'] as const).filter((ending) => counts[ending] > 0);
  const summary = list.format(ended.map((ending) => counted(locale, names.endings[ending], counts[ending])));
  return (
    <IntentForm
      phase={intent.phase}
      done={summary}
      declined={summary}
      action={counted(locale, names.buttons[action], items.length)}
      onSend={send}
      box={form}
      class="fields batch-form"
    >
      <ExtraField
        {...{ action, id }}
        value={extra}
        onInput={setExtra}
        isLocked={!isWriting}
        fault={isChecked ? flagFault : undefined}
      />
      <p class="sentence" aria-live="polite">
        <Sentence
          text={counted(locale, names.sentences[action], items.length, {
            sum: list.format(sums.map(([currency, sum]) => money(locale, currency, sum))),
            flag: isolated(extra.trim()),
          })}
        />
      </p>
      {[...held].map(([above, rules]) => (
        <AmountRules key={above} rules={rules} />
      ))}
      {isTyped && (
        <Field
          label={fill(names.type_count, { count })}
          id={`${id}-count`}
          value={typed}
          onInput={setTyped}
          isLocked={false}
          inputMode="decimal"
          fault={isChecked ? countFault : undefined}
        />
      )}
      <BatchRows {...{ planned, phases: items.map((_, at) => phaseOf(at)) }} />
    </IntentForm>
  );
}
