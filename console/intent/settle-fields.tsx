import { useApp } from '../app/app.ts';

/** One of several values, by radio buttons without a frame. */
export function Choice<Value extends string>(props: {
  name: string;
  values: readonly Value[];
  chosen: Value | undefined;
  isWrong?: boolean;
  textOf: (value: Value) => string;
  onChoose: (value: Value) => void;
}) {
  const { name, values, chosen, isWrong = false, textOf, onChoose } = props;
  return values.map((value) => (
    <label key={value} class="tick">
      <input
        type="radio"
        name={name}
        checked={chosen === value}
        aria-invalid={isWrong}
        onChange={() => onChoose(value)}
      />
      {textOf(value)}
    </label>
  ));
}

/** The note of the person who settles something by hand. */
export function Note(props: {
  id: string;
  value: string;
  isLocked: boolean;
  isWrong: boolean;
  onInput: (value: string) => void;
}) {
  const { dialog } = useApp().words;
  const { id, value, isLocked, isWrong, onInput } = props;
  return (
    <div class="field">
      <label for={`${id}-note`}>{dialog.note}</label>
      <textarea
        id={`${id}-note`}
        value={value}
        dir="auto"
        rows={2}
        maxLength={2000}
        readOnly={isLocked}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p id={`${id}-hint`} class="hint">
        {dialog.note_hint}
      </p>
    </div>
  );
}
