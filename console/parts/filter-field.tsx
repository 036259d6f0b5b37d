/** A text field in the form of a filter. `value` is what the filter has. */
export function FilterField(props: { name: string; label: string; value: string | null; list?: string }) {
  const { name, label, value, list } = props;
  return (
    <input
      type="search"
      name={name}
      dir="auto"
      list={list}
      aria-label={label}
      placeholder={label}
      defaultValue={value ?? ''}
      // Some browsers show a cross that clears the field.
      onInput={({ currentTarget }) => {
        if (currentTarget.value === '' && value !== null) currentTarget.form?.requestSubmit();
      }}
    />
  );
}
