import type { Ref } from 'preact';
import { finds, plain } from '../../parts/search.ts';

/** One of the options of a list. */
export type Option = { code: string; name: string };

/** The options that match a text; all options for an empty text. */
export function findOptions(options: readonly Option[], text: string): readonly Option[] {
  const query = text.trim();
  return query ? options.filter(({ code, name }) => code === query || finds(query, name)) : options;
}

/** The option that a text names: by its code, or by its name alone, with or without accents. */
export function namedOption(options: readonly Option[], text: string): Option | undefined {
  const query = plain(text);
  const same = query ? options.filter(({ name }) => plain(name) === query) : [];
  const trimmed = text.trim();
  return (
    options.find(({ name }) => name === trimmed) ??
    (same.length === 1 ? same[0] : options.find(({ code }) => code === trimmed))
  );
}

/** The id of an option in the list of this id. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

type Props = {
  id: string;
  label: string;
  open: boolean;
  options: readonly Option[];
  /** The active option; -1 for none. */
  active: number;
  /** The code of the chosen option. */
  chosen: string | undefined;
  list: Ref<HTMLDivElement>;
  onChoose: (option: Option) => void;
};

/** The list of a combobox. The input keeps the focus wherever the list is pressed. */
export function OptionList({ id, label, open, options, active, chosen, list, onChoose }: Props) {
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      hidden={!open || !options.length}
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are pressed in the input, which keeps the focus
        <div
          key={option.code}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={option.code === chosen}
          class={index === active ? 'active' : ''}
          onClick={() => onChoose(option)}
        >
          {option.name}
        </div>
      ))}
    </div>
  );
}
