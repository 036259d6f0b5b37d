import type { Session, Terms } from '../../../payments/session.ts';
import { isSameTerms, sessionFigures } from '../../order-changes.ts';
import { sessionColumns } from '../../rows.ts';

/** The columns that make a session here: what the shopper filled in changes with each attempt, the other terms hardly ever. */
export const columns = `${sessionColumns}, filled`;

/** The column of all terms but those that the shopper filled in. */
export function termsColumn({ filled: _, ...terms }: Terms): string {
  return JSON.stringify(terms);
}

/** The column of what the shopper filled in. */
export function filledColumn({ filled }: Terms): string | null {
  return filled ? JSON.stringify(filled) : null;
}

/** A new session as the server's procedure takes it. */
export function newRow(session: Session): object {
  const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
  return {
    ...{
      id,
      account,
      order_no: order_no.toWellFormed(),
      status: state.status,
      version,
      revision,
      created_at,
      expires_at,
    },
    ...{ terms: termsColumn(terms), filled: filledColumn(terms), state: JSON.stringify(state) },
  };
}

/** A changed session likewise; its terms are left out where they are those that were read. */
export function changedRow(session: Session, before: Session | undefined): object {
  const { id, state, version, revision, expires_at, terms, settled } = session;
  return {
    ...{ id, status: state.status, version, revision, expires_at, ...sessionFigures(session) },
    ...(before && isSameTerms(terms, before.terms) ? {} : { terms: termsColumn(terms) }),
    ...{ filled: filledColumn(terms), state: JSON.stringify(state) },
    ...(settled ? { settled: JSON.stringify(settled) } : {}),
  };
}
