import type { ComponentChildren } from 'preact';
import { useApp } from '../app/app.tsx';
import { withFields } from '../app/route.ts';

/** The form of a list's filter. Its fields change the filter of the address when they are sent. */
export function FilterForm(props: {
  page: 'audit' | 'requests';
  filter: URLSearchParams;
  children: ComponentChildren;
}) {
  const { page, filter, children } = props;
  const { words, go } = useApp();
  return (
    <search>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
          go({ page, filter: withFields(filter, Object.fromEntries(typed)) }, 'replace');
        }}
      >
        {children}
        <button type="submit">{words.orders.search}</button>
      </form>
    </search>
  );
}

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
