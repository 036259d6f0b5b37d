import { Component } from 'preact';
import { digitsOf, latin } from '../../../../shared/checkout/fields/digits.ts';
import { remembered } from '../../../../shared/checkout/remembered.ts';
import { errorId, inputId } from '../../view/field.tsx';
import type { ControlProps, Feature } from '../context.ts';

export const feature = (): Feature => ({ controls: { BirthDate } });

/** A birth date in three short fields, in the order in which the shopper's locale writes dates. */
class BirthDate extends Component<ControlProps> {
  readonly #inputs = new Map<DatePart, HTMLInputElement>();

  override componentDidMount(): void {
    const inputs = [...this.#inputs.values()];
    if (inputs.some((input) => input.value)) {
      this.#take();
      if (!inputs.some((input) => input === document.activeElement)) this.#leave();
    } else this.#write();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    const { form, field, label } = this.props;
    const { checkout } = form;
    const error = checkout.state.errors[field.name];
    const nameId = `name-${field.name}`;
    return (
      // biome-ignore lint/a11y/useSemanticElements: what is in a fieldset cannot stand on its neighbour's lines
      <div
        role="group"
        class="field date"
        aria-labelledby={nameId}
        aria-describedby={errorId(field.name)}
        onFocusOut={(event) => {
          const next = event.relatedTarget;
          if (!(next instanceof Node && event.currentTarget.contains(next))) this.#leave();
        }}
      >
        <div class="name" id={nameId}>
          {label}
        </div>
        <div class="parts">{this.#order.map((part, index) => this.#part(part, index))}</div>
        <p class="error" id={errorId(field.name)}>
          {error && checkout.formatMessage(error, label)}
        </p>
      </div>
    );
  }

  #part(part: DatePart, index: number) {
    const { form, field } = this.props;
    const { checkout } = form;
    const { state, t } = checkout;
    const id = index ? `${inputId(field.name)}-${part}` : inputId(field.name);
    return (
      <div class={part} key={part}>
        <label for={id}>{t(part)}</label>
        <div class="box">
          <input
            ref={(input) => {
              if (input) this.#inputs.set(part, input);
            }}
            id={id}
            type="text"
            inputmode="numeric"
            autocomplete={`bday-${part}`}
            size={SIZES[part]}
            dir="ltr"
            readonly={state.stage.name === 'paying'}
            aria-required={!field.optional}
            aria-invalid={state.errors[field.name] !== undefined}
            aria-describedby={errorId(field.name)}
            onPaste={(event) => this.#paste(event)}
            onInput={(event) => this.#typed(part, event)}
            onChange={() => this.#take()}
            onKeyDown={(event) => this.#keyDown(part, event)}
          />
        </div>
      </div>
    );
  }

  get #order(): readonly DatePart[] {
    return dateOrder(this.props.form.checkout.boot.locale);
  }

  #neighbour(part: DatePart, step: 1 | -1): HTMLInputElement | undefined {
    const order = this.#order;
    const next = order[order.indexOf(part) + step];
    return next && this.#inputs.get(next);
  }

  #typed(part: DatePart, event: InputEvent): void {
    const input = this.#inputs.get(part);
    if (!input || event.isComposing) return;
    const date = parseDate(input.value, this.#order);
    if (date) this.#fill(date);
    const before = input.value;
    const digits = digitsOfPart(before, part);
    if (digits !== before) input.value = digits;
    this.#take();
    const isFull = digits.length === SIZES[part] && input.selectionStart === digits.length;
    if (date || !isFull || part === 'year' || event.inputType !== 'insertText') return;
    const next = this.#neighbour(part, 1);
    next?.focus();
    next?.select();
  }

  /** Backspace leaves an empty part backwards, and Enter a part whose next one is empty. */
  #keyDown(part: DatePart, event: KeyboardEvent): void {
    const isEmpty = !this.#inputs.get(part)?.value;
    if (event.key === 'Backspace' && isEmpty) this.#neighbour(part, -1)?.focus();
    const next = this.#neighbour(part, 1);
    if (event.key !== 'Enter' || event.isComposing || isEmpty || !next || next.value) return;
    event.preventDefault();
    next.focus();
  }

  /** A complete date is split between the three fields, and replaces their texts. */
  #paste(event: ClipboardEvent): void {
    const date = parseDate(event.clipboardData?.getData('text') ?? '', this.#order);
    if (!date || this.props.form.checkout.state.stage.name === 'paying') return;
    event.preventDefault();
    this.#fill(date);
    this.#take();
  }

  #fill(date: DateParts): void {
    for (const [part, input] of this.#inputs) input.value = digitsOfPart(date[part], part);
  }

  /** Takes over the texts of the three fields. */
  #take(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    checkout.type(field.name, joined({ day: this.#text('day'), month: this.#text('month'), year: this.#text('year') }));
  }

  /** The text of one of the fields. */
  #text(part: DatePart): string {
    const digits = digitsOfPart(this.#inputs.get(part)?.value ?? '', part);
    return part === 'year' ? commonYear(digits, this.props.form.checkout.platform.now().getFullYear()) : digits;
  }

  #leave(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    const held = partsOf(checkout.state.values[field.name] ?? '');
    for (const [part, input] of this.#inputs) input.value = held[part];
    checkout.leave(field.name);
  }

  #write(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    const held = partsOf(checkout.state.values[field.name] ?? '');
    for (const [part, input] of this.#inputs) {
      // While it is typed, `1` is stored as `01`, and 2530 as 1987: each text stays until the shopper leaves the field.
      const text = this.#text(part);
      if (Number(text) !== Number(held[part]) || !held[part] !== !text) input.value = held[part];
    }
  }
}

type DatePart = 'day' | 'month' | 'year';
type DateParts = Readonly<Record<DatePart, string>>;

/** The number of digits of each part. */
const SIZES = { day: 2, month: 2, year: 4 } as const;

/** The order of a date's parts in a locale, in the Gregorian calendar. */
export const dateOrder = remembered((locale: string): readonly DatePart[] => {
  const format = new Intl.DateTimeFormat(locale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const order = format.formatToParts(0).flatMap(({ type }) => (isPart(type) ? [type] : []));
  return order.length === 3 ? order : ['day', 'month', 'year'];
});

/** The number of years by which the Buddhist calendar of Thailand is ahead of the Gregorian one. */
const BUDDHIST_YEARS = 543;
const MAX_AGE_YEARS = 130;

/**
 * A year of birth in the Gregorian calendar: a future year is read as a Buddhist one, if a person can have been born in
 * it.
 */
function commonYear(text: string, thisYear: number): string {
  const year = Number(text);
  const common = year - BUDDHIST_YEARS;
  return year > thisYear && common <= thisYear && common >= thisYear - MAX_AGE_YEARS ? String(common) : text;
}

/** Reads a stored date, `DD-MM-YYYY` with empty parts for missing digits; a shop's date may begin with the year. */
function partsOf(date: string): DateParts {
  const [first = '', month = '', last = ''] = date.slice(0, 10).split('-');
  return first.length === 4 ? { day: last, month, year: first } : { day: first, month, year: last };
}

/** A date in its stored form; empty without any part. */
function joined({ day, month, year }: DateParts): string {
  const pad = (digits: string) => (digits ? digits.padStart(2, '0') : '');
  return day || month || year ? `${pad(day)}-${pad(month)}-${year}` : '';
}

/**
 * A complete date that was pasted or filled in at once: three groups of digits or eight digits, in the locale's order.
 * Four digits are always the year; after a leading year come the month and the day. Undefined for any other text.
 */
function parseDate(text: string, order: readonly DatePart[]): DateParts | undefined {
  const digits = latin(text).match(/\d+/g) ?? [];
  const groups = digits.length === 1 && digits[0]?.length === 8 ? cut(digits[0], order) : digits;
  if (groups.length !== 3) return undefined;
  const named = partsIn(groups, order);
  const read = Object.fromEntries(named.map((part, index) => [part, groups[index] ?? '']));
  return { day: '', month: '', year: '', ...read };
}

function cut(digits: string, order: readonly DatePart[]): string[] {
  const sizes = order.map((part) => `(\\d{${SIZES[part]}})`).join('');
  return new RegExp(sizes).exec(digits)?.slice(1) ?? [];
}

/** The part that each of three groups is. */
function partsIn(groups: readonly string[], order: readonly DatePart[]): readonly DatePart[] {
  const year = groups.findIndex(({ length }) => length === 4);
  if (year < 0) return order;
  if (year === 0) return ['year', 'month', 'day'];
  const others = order.filter((part) => part !== 'year');
  return [...others.slice(0, year), 'year', ...others.slice(year)];
}

/** The digits of one part. */
function digitsOfPart(text: string, part: DatePart): string {
  return digitsOf(text).slice(0, SIZES[part]);
}

function isPart(type: string): type is DatePart {
  return Object.hasOwn(SIZES, type);
}
