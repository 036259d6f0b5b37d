import { useId, useState } from 'preact/hooks';
import { useApp } from '../app/app.tsx';
import { Choice as Radios } from '../intent/intent-form.tsx';
import { fill } from '../locales/words.ts';
import { Field } from '../parts/dialog.tsx';
import { askedOf, type FieldName, type PayoutField, type PayoutForm } from './payout-form.ts';

/** A choice, as radio buttons. */
export function Choice<Value extends string>(props: {
  legend: string;
  names: Readonly<Record<Value, string>>;
  values: readonly Value[];
  value: Value;
  isLocked: boolean;
  onChange: (value: Value) => void;
}) {
  const { legend, names, values, value, isLocked, onChange } = props;
  const id = useId();
  return (
    <fieldset class="choices" disabled={isLocked}>
      <legend>{legend}</legend>
      <Radios name={id} values={values} chosen={value} textOf={(one) => names[one]} onChoose={onChange} />
    </fieldset>
  );
}

type Group = {
  fields: readonly PayoutField[];
  form: PayoutForm;
  id: string;
  isLocked: boolean;
  title?: string;
  /** Whether the group is collapsed. */
  isFolded?: boolean;
  faultOf: (name: FieldName) => string | undefined;
  onInput: (name: FieldName, value: string) => void;
};

/** The required and offered fields of a group. */
export function PayoutFields({ fields, title, isFolded = false, ...group }: Group) {
  const asked = askedOf(fields, group.form);
  const [isOpen] = useState(() => asked.some(({ name }) => group.form.values[name]));
  if (asked.length === 0) return null;
  const grid = (
    <div class="pair">
      {asked.map((field) => (
        <OneField key={field.name} field={field} isMarked={!isFolded} {...group} />
      ))}
    </div>
  );
  if (title === undefined) return grid;
  if (!isFolded) {
    return (
      <fieldset>
        <legend>{title}</legend>
        {grid}
      </fieldset>
    );
  }
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      {grid}
    </details>
  );
}

function OneField(props: Omit<Group, 'fields' | 'title' | 'isFolded'> & { field: PayoutField; isMarked: boolean }) {
  const { field, isMarked, form, id, isLocked, faultOf, onInput } = props;
  const { words } = useApp();
  const { name, isRequired, example } = field;
  const isCode =
    field.form === 'currency' || field.form === 'country' || field.form === 'swift' || field.form === 'iban';
  const label = words.payouts.fields[name];
  // An account has a number or an IBAN, so neither field is required.
  const isOptional = isMarked && !isRequired && name !== 'account_number' && name !== 'iban';
  return (
    <Field
      label={isOptional ? `${label} (${words.payouts.optional})` : label}
      id={`${id}-${name}`}
      value={form.values[name] ?? ''}
      onInput={(value) => onInput(name, isCode ? value.toUpperCase() : value)}
      isLocked={isLocked}
      {...(field.form === 'date' ? { type: 'date' } : field.form === 'email' ? { inputMode: 'email' } : {})}
      placeholder={example && fill(words.payouts.example, { text: example })}
      fault={faultOf(name)}
    />
  );
}
