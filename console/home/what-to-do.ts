import type { AttentionKind } from '../../shared/api/attention.ts';
import type { Words } from '../locales/en.ts';

/** What to do about a case, in one sentence. */
export function whatToDo({ home }: Words, kind: AttentionKind, why: string): string {
  switch (kind) {
    case 'order_contradicted':
      return chosen(home.contradicted, why) ?? home.todo.order_contradicted;
    case 'difference':
      return chosen(home.differences, why) ?? home.todo.difference;
    case 'paid_twice':
    case 'order_unknown':
    case 'order_overdue':
    case 'operation_unknown':
    case 'webhook_failed':
    case 'order_asked':
    case 'operation_asked':
    case 'order_pending':
      return home.todo[kind];
  }
}

/** Newer relays have reasons that no words are there for. */
function chosen(texts: Readonly<Record<string, string>>, why: string): string | undefined {
  return Object.hasOwn(texts, why) ? texts[why] : undefined;
}
