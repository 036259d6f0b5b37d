import type { MoneyAction } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { Field } from '../parts/dialog.tsx';

/** The field beside the amount: the reason of a refund, or the flag of a review. Other actions have none. */
export function ExtraField(props: {
  action: MoneyAction;
  /** The id of the form. */
  id: string;
  value: string;
  onInput: (value: string) => void;
  isLocked: boolean;
  fault: string | undefined;
}) {
  const { me, words } = useApp();
  const { action, id, ...field } = props;
  const { dialog } = words;
  switch (action) {
    case 'refund':
      return <Field {...field} label={dialog.reason} id={`${id}-reason`} choices={me.refund_reasons} />;
    case 'review':
      return <Field {...field} label={dialog.review_flag} id={`${id}-flag`} hint={dialog.review_hint} />;
    case 'capture':
    case 'cancel':
      return null;
  }
}
