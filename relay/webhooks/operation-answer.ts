import type { OperationAnswer } from '../../shared/api/operation.ts';
import { nextLookAt, type Operation } from '../payments/operation.ts';

/** An operation as its shop sees it: what `GET /v1/operations/:id` answers and what webhooks carry. */
export function operationAnswer(operation: Operation): OperationAnswer {
  const { id, name, created_at, by, settled_at, request, state } = operation;
  const common = {
    id,
    operation: name,
    status: state.status,
    created_at,
    ...(by === undefined ? {} : { by }),
    ...(settled_at === undefined ? {} : { settled_at }),
    request: { ...request },
  };
  switch (state.status) {
    case 'in_flight':
    case 'not_sent':
      return common;
    case 'refused':
      return { ...common, evidence: state.evidence };
    case 'answered':
      return {
        ...common,
        answer: { ...state.answer },
        items: state.items,
        ...(state.settlement ? { settlement: state.settlement } : {}),
      };
    case 'unknown': {
      const { reason, since, evidence } = state;
      return { ...common, unknown: { reason, since, ...searchOf(operation) }, evidence };
    }
    case 'settled': {
      const { settlement, answer, evidence } = state;
      return {
        ...common,
        ...(answer ? { answer: { ...answer } } : {}),
        items: settlement.items,
        ...(evidence ? { evidence } : {}),
        settlement,
      };
    }
  }
}

/** How the search for an unknown operation goes; one that nothing looks for needs attention. */
function searchOf(operation: Operation): Omit<NonNullable<OperationAnswer['unknown']>, 'reason' | 'since'> {
  const { lookup } = operation;
  if (!lookup) return { needs_attention: true };
  const next_look_at = nextLookAt(operation);
  return {
    looks: lookup.looks,
    ...(next_look_at === undefined ? {} : { next_look_at }),
    ...(lookup.last_look ? { last_look: lookup.last_look } : {}),
    needs_attention: next_look_at === undefined,
  };
}
