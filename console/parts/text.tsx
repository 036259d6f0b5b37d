import { formatMoney } from '../../shared/checkout/money/money.ts';
import { remembered } from '../../shared/checkout/remembered.ts';
import { useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';

/** An untrusted text: shown as text, with its direction isolated and control characters replaced. */
export function Foreign({ text }: { text: string }) {
  return <bdi class={unbroken(text)}>{harmless(text)}</bdi>;
}

/** The class of a short text, such as an order number, that must not break at its hyphens. */
const unbroken = (text: string): string | undefined =>
  /^[^\s-]+-\S+$/.test(text) && text.length <= 18 ? 'whole' : undefined;

/** An untrusted id or code. */
export function Code({ text }: { text: string }) {
  return (
    <span class="code">
      <Foreign text={text} />
    </span>
  );
}

/** An untrusted text within a sentence. */
export function isolated(text: string): string {
  return `\u2068${harmless(text)}\u2069`;
}

/** A sentence with isolated untrusted texts. */
export function Sentence({ text }: { text: string }) {
  return text.split(/(\u2068[^\u2069]*\u2069)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no ids
    <span key={at} class={part.startsWith('\u2068') ? unbroken(part) : undefined}>
      {part}
    </span>
  ));
}

/** An amount in its currency, in the person's locale; unchanged if it cannot be formatted. */
export function money(locale: string, currency: string, amount: string): string {
  try {
    return formatMoney(locale, currency, amount);
  } catch {
    return `${harmless(amount)} ${harmless(currency)}`;
  }
}

/** The formats of a locale for a recent time, one of this year, one of another year, and one in UTC. */
const formats = remembered((locale: string) => {
  const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  return {
    moment: new Intl.DateTimeFormat(locale, minute),
    near: new Intl.DateTimeFormat(locale, { ...day, ...minute, second: '2-digit' }),
    year: new Intl.DateTimeFormat(locale, { ...day, year: 'numeric', ...minute }),
    utc: new Intl.DateTimeFormat(locale, { ...day, year: 'numeric', ...minute, second: '2-digit', timeZone: 'UTC' }),
  };
});

/**
 * A time in the person's time zone. The UTC time appears when the pointer or the focus is on it; in a table, when the link of the
 * row has the focus. With `isNow` the day is left out.
 */
export function Time(props: { at: string; isInRow?: boolean; isNow?: boolean }) {
  const { at, isInRow = false, isNow = false } = props;
  const { locale, words } = useApp();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <Foreign text={at} />;
  const kind = isNow ? 'moment' : date.getFullYear() === new Date().getFullYear() ? 'near' : 'year';
  const utc = fill(words.utc, { time: formats(locale).utc.format(date) });
  const shown = formats(locale)[kind].format(date);
  const named = isInRow ? {} : { tabIndex: 0, 'aria-label': `${shown} (${utc})` };
  return (
    <time dateTime={at} class="time" data-utc={utc} {...named}>
      {shown}
    </time>
  );
}

/** A time as text, for a sentence. */
export function clock(locale: string, at: string): string {
  return formats(locale).near.format(new Date(at));
}

/**
 * An untrusted text that can be shown: control characters and direction marks are replaced by visible characters without effect.
 * The element around it isolates its direction.
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code === 0x200d || code === 0x200c) return sign;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '␡' : '�';
  });
}

/** A received message, line by line, in a collapsed section. */
export function Evidence({ text, title, isOpen = false }: { text: string; title?: string; isOpen?: boolean }) {
  const { words } = useApp();
  return (
    <details open={isOpen}>
      <summary>{title ?? words.order.details}</summary>
      <Lines text={text} />
    </details>
  );
}

/** An untrusted text, line by line. */
export function Lines({ text, class: own }: { text: string; class?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too
    <pre class={own} tabIndex={0} dir="auto">
      {text.split(/\r?\n/).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids and keep their order
        <span key={at} class="line">
          <Foreign text={line} />
        </span>
      ))}
    </pre>
  );
}

const brands: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/, 'Mastercard'],
  [/^3[47]/, 'Amex'],
];

/** The payment method: the brand and last four digits of a card, or the name of the method. */
export function Method({ method, card }: { method: string | undefined; card: string | undefined }) {
  const { words } = useApp();
  const last4 = /\d{4}$/.exec(card ?? '')?.[0];
  if (card !== undefined && last4 !== undefined) {
    const brand = brands.find(([pattern]) => pattern.test(card))?.[1];
    return (
      <span class="method">
        {brand ?? words.orders.card} <span aria-hidden="true">•••• {last4}</span>
        <span class="hidden">{fill(words.orders.ending, { digits: last4 })}</span>
      </span>
    );
  }
  return method === undefined ? <span class="quiet-text">{words.nothing}</span> : <Foreign text={method} />;
}
