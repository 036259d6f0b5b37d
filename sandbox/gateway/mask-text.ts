/** Digits with whatever people write between them: blanks of every kind, line ends, dots, commas, strokes and dashes. */
const digitRuns = /\d[\d\s.,/_\-\u00ad\u200b-\u200d\u2010-\u2015\u2060]{11,}/g;
const MIN_DIGITS = 12;
const MAX_DIGITS = 19;

/** From one digit of a run up to, not including, another. */
type Span = { from: number; to: number };

/**
 * Masks whatever in a text could be a card number: any 12 to 19 digits in a row that pass Luhn, whatever digits stand
 * beside them. Where two such overlap they are masked as one, so that of each only first six and last four can be seen.
 */
export function maskText(text: string): string {
  return maskRuns(text, cardLike);
}

/** Masks these card numbers alone, for texts whose other digits are known to be no card. */
export function maskKnownCards(text: string, cards: readonly string[]): string {
  return maskRuns(text, (digits) =>
    merged(cards.flatMap((card) => placesOf(card, digits)).sort((one, other) => one.to - other.to)),
  );
}

function maskRuns(text: string, spansIn: (digits: string) => Span[]): string {
  return text.replace(digitRuns, (run) => {
    const digits = run.replace(/\D/g, '');
    const spans = spansIn(digits);
    if (spans.length === 0) return run;
    const places = [...run.matchAll(/\d/g)].map(({ index }) => index);
    let shown = '';
    let done = 0;
    for (const { from, to } of spans) {
      shown += run.slice(done, places[from]) + starred(digits.slice(from, to));
      done = (places[to - 1] ?? 0) + 1;
    }
    return shown + run.slice(done);
  });
}

/** For each last digit one walk to the left sums up Luhn for every length, so that long texts take no longer per digit. */
function cardLike(digits: string): Span[] {
  const found: Span[] = [];
  for (let to = MIN_DIGITS; to <= digits.length; to += 1) {
    let sum = 0;
    let longest = 0;
    for (let length = 1; length <= MAX_DIGITS && length <= to; length += 1) {
      const digit = digits.charCodeAt(to - length) - 48;
      const doubled = length % 2 === 0 ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
      if (length >= MIN_DIGITS && sum % 10 === 0) longest = length;
    }
    if (longest > 0) found.push({ from: to - longest, to });
  }
  return merged(found);
}

function placesOf(card: string, digits: string): Span[] {
  const found: Span[] = [];
  for (let from = digits.indexOf(card); from >= 0; from = digits.indexOf(card, from + 1)) {
    found.push({ from, to: from + card.length });
  }
  return found;
}

/** Spans in the order of their ends, those that overlap made one. */
function merged(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    let { from } = span;
    for (let last = kept.at(-1); last && last.to > from; last = kept.at(-1)) {
      from = Math.min(from, last.from);
      kept.pop();
    }
    kept.push({ from, to: span.to });
  }
  return kept;
}

function starred(digits: string): string {
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}
