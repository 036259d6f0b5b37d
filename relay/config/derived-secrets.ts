import { sameText } from '../../shared/gateway/signature.ts';
import { derive, type Purpose } from '../base/keys.ts';
import type { Account } from './load.ts';

/** How long a redirect_url works. The shopper follows it at once; a reload of the issuer's page needs it too. */
const TICKET_MS = 15 * 60_000;

/** `<session id>.<random>`: lets its holder see and pay one session. Derived, not stored. */
export function clientSecret(account: Account, sessionId: string): string {
  return `${sessionId}.${derive(account.derivedKeys, 'client secret', sessionId)}`;
}

/** True for a client secret of this session. */
export function isClientSecret(account: Account, sessionId: string, secret: string): boolean {
  const [id, random = ''] = secret.split('.');
  return id === sessionId && isDerived(account, 'client secret', sessionId, random);
}

/** The token in a notify_url, so that its address cannot be guessed. */
export function notificationToken(account: Account, kind: string, id: string): string {
  return derive(account.derivedKeys, 'notification token', `${kind} ${id}`);
}

/** True for the token of a notify_url. */
export function isNotificationToken(account: Account, kind: string, id: string, token: string): boolean {
  return isDerived(account, 'notification token', `${kind} ${id}`, token);
}

/** A short-lived ticket that opens the way to the issuer for one attempt. */
export function issueTicket(account: Account, attemptId: string, now: Date): string {
  const expires = String(now.getTime() + TICKET_MS);
  return `${expires}.${derive(account.derivedKeys, 'issuer ticket', `${attemptId} ${expires}`)}`;
}

/** True for a ticket that was made for this attempt and still works. */
export function isValidTicket(account: Account, attemptId: string, ticket: string, now: Date): boolean {
  const [expires = '', proof = ''] = ticket.split('.');
  const right = isDerived(account, 'issuer ticket', `${attemptId} ${expires}`, proof);
  return right && /^\d{1,15}$/.test(expires) && Number(expires) > now.getTime();
}

/** True for what was derived from the account's signing secret, as it is or as it was before a change. */
function isDerived(account: Account, purpose: Purpose, subject: string, text: string): boolean {
  return [account.derivedKeys, ...account.previousKeys].some((keys) => sameText(text, derive(keys, purpose, subject)));
}
