/** An input as it stands after the browser changed it, and before. */
export type Typed = {
  /** What stands in the input now. */
  text: string;
  /** Where the caret is now, in UTF-16 units. */
  caret: number;
  /** What stood there before, as formatted. */
  before: string;
  /** `InputEvent.inputType`, empty for autofill. */
  how: string;
};

export type Format = (text: string, deleting?: boolean) => string;

/**
 * Formats what was typed and says where the caret belongs: after the same digit as before. Deleting a separator deletes
 * the digit beyond it, since the separator alone would come straight back.
 */
export function retype(typed: Typed, format: Format): { text: string; caret: number } {
  const deleting = typed.how.startsWith('delete');
  const { text, caret } = deleting ? withoutLostSeparator(typed) : typed;
  const formatted = format(text, deleting);
  if (caret >= text.length) return { text: formatted, caret: formatted.length };
  return { text: formatted, caret: afterDigit(formatted, countDigits(text.slice(0, caret))) };
}

function withoutLostSeparator({ text, caret, before, how }: Typed): { text: string; caret: number } {
  const onlySeparatorLost = text.length < before.length && countDigits(text) === countDigits(before);
  if (!onlySeparatorLost) return { text, caret };
  const backward = how === 'deleteContentBackward';
  const head = backward ? text.slice(0, caret).replace(/\d\D*$/, '') : text.slice(0, caret);
  const tail = backward ? text.slice(caret) : text.slice(caret).replace(/^\D*\d/, '');
  return { text: head + tail, caret: head.length };
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}

function afterDigit(text: string, count: number): number {
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (seen === count) return index;
    if (/\d/.test(text[index] ?? '')) seen += 1;
  }
  return text.length;
}
