import type { z } from 'zod';
import { maskText, shownName } from './mask.ts';

const MAX_REASONS = 10;

/** Why something sent has not the right form, in a line that repeats nothing of it but the names of fields. */
export function reasonsOf(error: z.ZodError): string {
  return maskText(error.issues.slice(0, MAX_REASONS).map(reasonOf).join('; '));
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === 'string' ? shownName(part) : String(part))).join('.');
  const unknown = issue.code === 'unrecognized_keys' ? [...new Set(issue.keys.map(shownName))] : [];
  const message = unknown.length > 0 ? `no such field: ${unknown.slice(0, MAX_REASONS).join(', ')}` : issue.message;
  return [path, message].filter(Boolean).join(': ');
}
