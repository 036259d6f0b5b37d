import { holdsOwnNumber } from './card-number.ts';
import type { FieldContext, FieldProblem, FieldProblemKey } from './context.ts';
import { type FieldKind, kindOf } from './kinds.ts';
import { rules } from './rules.ts';

/** What the payment's schemas take of a text, in UTF-16 units; the spec gives no lengths (§2.10, last lines). */
const MAX_LENGTH = 1000;

/** A field's value as it is sent, and what is wrong with it, if anything. */
export type CheckedField = { written: string; problem: FieldProblem | undefined };

/**
 * Writes the value of the field at `path` of a payment's request (§2.1, §2.3) as it is sent, and says what is wrong with it:
 * nothing for paths that we do not know. The value is not empty: whether it may be is the form's business.
 */
export function checkedField(path: string, value: string, context: FieldContext): CheckedField {
  const text = value.trim();
  const kind = kindOf(path);
  if (!kind) return { written: text, problem: undefined };
  const { longest = MAX_LENGTH, write, problem } = rules[kind];
  const at = { ...context, path };
  const written = write?.(text, at) ?? text;
  if (written.length > longest) return { written, problem: { key: 'too_long' } };
  const found = cardProblem(kind, text, context) ?? problem(written, at);
  return { written, problem: typeof found === 'string' ? { key: found } : found };
}

/** What is wrong with a field's value; see `checkedField`. */
export function fieldProblem(path: string, value: string, context: FieldContext): FieldProblem | undefined {
  return checkedField(path, value, context).problem;
}

/** A field's value as it is sent; what is wrong with it stays in it. Its own inverse. */
export function fieldValue(path: string, value: string, context: FieldContext): string {
  const kind = kindOf(path);
  const text = value.trim();
  return (kind && rules[kind].write?.(text, { ...context, path })) ?? text;
}

/** A card number stands in its own field alone. In a file nobody types one. */
function cardProblem(kind: FieldKind, text: string, { card }: FieldContext): FieldProblemKey | undefined {
  if (!card || kind === 'file_data' || !holdsOwnNumber(text, card)) return undefined;
  return kind === 'name' ? 'name_invalid' : 'card_in_field';
}
