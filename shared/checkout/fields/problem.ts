import type { FieldContext, FieldProblem } from './context.ts';
import { kindOf } from './kinds.ts';
import { rules } from './rules.ts';

export type { FieldContext, FieldProblem, FieldProblemKey } from './context.ts';

/** What the payment's schemas take of a text, in UTF-16 units; the spec gives no lengths (§2.10, last lines). */
const MAX_LENGTH = 1000;

/**
 * What is wrong with the value of the field at `path` of a payment's request (§2.1, §2.3); undefined for nothing, and for paths
 * that we do not know. The value is not empty: whether it may be is the form's business.
 * @param written the value as it is sent, where the caller has it
 */
export function fieldProblem(
  path: string,
  value: string,
  context: FieldContext,
  written = fieldValue(path, value, context),
): FieldProblem | undefined {
  const kind = kindOf(path);
  if (!kind) return undefined;
  const { longest = MAX_LENGTH, problem } = rules[kind];
  if (written.length > longest) return { key: 'too_long' };
  const found = problem(written, { ...context, path });
  return typeof found === 'string' ? { key: found } : found;
}

/** A field's value as it is sent; what is wrong with it stays in it. Its own inverse. */
export function fieldValue(path: string, value: string, context: FieldContext): string {
  const kind = kindOf(path);
  const text = value.trim();
  return (kind && rules[kind].write?.(text, { ...context, path })) ?? text;
}
