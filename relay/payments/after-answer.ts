import type { Outcome } from '../gateway/outcome.ts';
import { type Attempt, type AttemptState, type Session, wasTaken } from './session.ts';
import {
  approved,
  type Change,
  type Circumstances,
  declined,
  later,
  reopened,
  settled,
  unknown,
  withState,
} from './transitions.ts';

/** Moves a processing session on by what the gateway answered (design 5). */
export function afterAnswer(session: Session, attempt: Attempt, outcome: Outcome, c: Circumstances): Change {
  const others = c.attempts.filter((other) => other.id !== attempt.id);
  switch (outcome.kind) {
    case 'approved': {
      const { kind: _, ...known } = outcome;
      return approved(session, attempt, c, known);
    }
    case 'declined': {
      const { result, advice, ...known } = outcome;
      return declined(session, attempt, c, { result, advice }, known.transaction_id);
    }
    case 'redirect':
      return {
        session: withState(session, {
          status: 'redirected',
          attempt_id: attempt.id,
          next_look_at: later(c.now, c.resolve.max_ms),
        }),
        attempt: {
          ...attempt,
          ...(outcome.transaction_id ? { transaction_id: outcome.transaction_id } : {}),
          state: { status: 'redirected', issuer_url: outcome.issuer_url },
        },
        hold: 'held',
      };
    case 'refused': {
      // An earlier attempt that was never proved unpaid may be why the gateway takes no other one.
      if (others.some((other) => wasTaken(other) && other.state.status !== 'declined')) {
        return unknown(session, attempt, c, 'gateway_refused', outcome.evidence);
      }
      const { result, evidence } = outcome;
      const state: AttemptState = { status: 'refused', result, evidence };
      const open = reopened(session, attempt, { notice: 'declined', advice: 'check_details', result });
      return settled(session, attempt, c, state, {}, open);
    }
    case 'not_sent':
      return settled(session, attempt, c, { status: 'not_sent' }, {}, reopened(session, attempt, {}));
    case 'unknown':
      return unknown(session, attempt, c, outcome.reason, outcome.evidence);
  }
}
