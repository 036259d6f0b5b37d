import type { ApprovalAnswer } from '../../shared/api/approval.ts';
import { useApp } from '../app/app.tsx';
import { ItemText, itemsOf } from '../parts/operation.tsx';
import { Foreign, isolated } from '../parts/text.tsx';

/** The items of a request for approval. */
export function RequestText({ approval: { operation, items, request } }: { approval: ApprovalAnswer }) {
  const { words } = useApp();
  const asked: Record<string, unknown>[] = request ? itemsOf({ request }) : items;
  return (
    <>
      {asked.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids and keep their order
        <p key={at}>
          {words.operations[operation]} <ItemText item={item} />{' '}
          {typeof item.refund_reason === 'string' && (
            <span class="quiet-text">
              <Foreign text={item.refund_reason} />
            </span>
          )}
        </p>
      ))}
    </>
  );
}

/** The name of a person, for a sentence. */
export function nameOf(by: string): string {
  return isolated(by.replace(/^person:/, ''));
}
