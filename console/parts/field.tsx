/** A text to type, with its label, a hint and what is wrong with it. It cannot be changed while `isLocked`. */
export function Field(props: {
  label: string;
  id: string;
  value: string;
  onInput: (value: string) => void;
  isLocked: boolean;
  inputMode?: 'decimal' | 'email';
  type?: 'date';
  placeholder?: string | undefined;
  fault?: string | undefined;
  hint?: string;
}) {
  const { label, id, value, onInput, isLocked, inputMode, type, placeholder, fault, hint } = props;
  const about = [...(fault === undefined ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  const own = {
    ...{ id, value, placeholder, inputMode, dir: 'auto' as const, autocomplete: 'off' },
    ...{ readOnly: isLocked, maxLength: 200, 'aria-invalid': fault !== undefined },
    'aria-describedby': about.length === 0 ? undefined : about.join(' '),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'date' ? <input type="date" {...own} /> : <input {...own} />}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
