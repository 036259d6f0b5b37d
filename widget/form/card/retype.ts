import { digitsOf } from '../../../shared/checkout/fields/digits.ts';

/** An input before and after a change by the browser. */
type Typed = {
  /** The text of the input now. */
  text: string;
  /** The present position of the caret, in UTF-16 units. */
  caret: number;
  /** The previous formatted text. */
  before: string;
  /** `InputEvent.inputType`, empty for autofill. */
  how: string;
};

/** Formats a text; `how` is the `InputEvent.inputType` of the change. */
export type Format = (text: string, how?: string) => string;

/**
 * Formats the typed text and returns the position of the caret: after the same digit as before. Deleting a separator
 * also deletes the digit before or after it, because the separator alone would be added again. A key for which there is
 * no room changes nothing, and pushes out no existing digit.
 */
export function retype(change: Typed, format: Format): { text: string; caret: number } {
  const { before, how } = change;
  const { text, caret } = withoutLostSeparator(change);
  const formatted = format(text, how);
  const digits = count(text.slice(0, caret));
  const typed = count(text);
  const shown = count(formatted);
  const known = count(before);
  // There is no room for a key if the number of digits stays the same, or is already too large.
  const isFull = caret < text.length && shown === known;
  if (how === 'insertText' && shown < typed && typed > known && (isFull || count(format(before, how)) < known))
    return { text: before, caret: before.length - text.length + caret };
  if (caret >= text.length) return { text: formatted, caret: formatted.length };
  return { text: formatted, caret: afterDigit(formatted, digits + Math.max(0, shown - typed)) };
}

function withoutLostSeparator({ text, caret, before, how }: Typed): { text: string; caret: number } {
  const [, direction] = /^deleteContent(Back|For)ward$/.exec(how) ?? [];
  if (!direction || text.length >= before.length || count(text) !== count(before)) return { text, caret };
  const backward = direction === 'Back';
  const edge = backward ? caret + before.length - text.length : caret;
  const head = backward ? before.slice(0, edge).replace(/\d(\D*)$/, '$1') : before.slice(0, edge);
  const tail = backward ? before.slice(edge) : before.slice(edge).replace(/\d/, '');
  return { text: head + tail, caret: head.length };
}

function count(text: string): number {
  return digitsOf(text).length;
}

/** The position after this many digits. */
function afterDigit(text: string, digits: number): number {
  return new RegExp(`^(?:\\D*\\d){${digits}}`).exec(text)?.[0].length ?? text.length;
}
