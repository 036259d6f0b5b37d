import type { retype } from '../../card/retype.ts';

const SIGNIFICANT = /[\p{L}\p{N}]/gu;

/**
 * `retype` for what has letters too, such as a Brazilian company's number: the caret stays after the same letter or digit, and
 * deleting a separator deletes what stands beyond it.
 */
export const retypeText: typeof retype = ({ text, caret, before, how }, format) => {
  const back = how === 'deleteContentBackward' && text.length < before.length && count(text) === count(before);
  const head = back ? text.slice(0, caret).replace(/[\p{L}\p{N}]([^\p{L}\p{N}]*)$/u, '$1') : text.slice(0, caret);
  const formatted = format(head + text.slice(caret), how);
  if (caret >= text.length) return { text: formatted, caret: formatted.length };
  // There is no room for this key: it pushes out nothing that is already there.
  if (how === 'insertText' && count(formatted) < count(text) && count(formatted) === count(before))
    return { text: before, caret: before.length - text.length + caret };
  return { text: formatted, caret: after(formatted, count(head)) };
};

function count(text: string): number {
  return text.match(SIGNIFICANT)?.length ?? 0;
}

function after(text: string, wanted: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    if (seen === wanted) return at;
    if (count(text[at] ?? '')) seen += 1;
  }
  return text.length;
}
