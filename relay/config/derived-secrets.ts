import { sameText } from '../../shared/gateway/signature.ts';
import { derive } from '../base/keys.ts';
import type { Account } from './load.ts';

/** How long a redirect_url works. The shopper follows it at once; a reload of the issuer's page needs it too. */
const TICKET_MS = 15 * 60_000;

/** `<session id>.<random>`: lets its holder see and pay one session. Derived, not stored. */
export function clientSecret(account: Account, sessionId: string): string {
  return `${sessionId}.${derive(account.signingSecret, 'client secret', sessionId)}`;
}

/** The token in a notify_url, so that its address cannot be guessed. */
export function notificationToken(account: Account, kind: string, id: string): string {
  return derive(account.signingSecret, 'notification token', `${kind} ${id}`);
}

/** True for the token of a notify_url that was made now, or before the account's signing secret was changed. */
export function isNotificationToken(account: Account, kind: string, id: string, token: string): boolean {
  const secrets = [account.signingSecret, ...account.previousSigningSecrets];
  return secrets.some((secret) => sameText(token, derive(secret, 'notification token', `${kind} ${id}`)));
}

/** A short-lived ticket that opens the way to the issuer for one attempt. */
export function issueTicket(account: Account, attemptId: string, now: Date): string {
  const expires = String(now.getTime() + TICKET_MS);
  return `${expires}.${derive(account.signingSecret, 'issuer ticket', `${attemptId} ${expires}`)}`;
}

/** True for a ticket that was made for this attempt and still works. */
export function isValidTicket(account: Account, attemptId: string, ticket: string, now: Date): boolean {
  const [expires = '', proof = ''] = ticket.split('.');
  const right = sameText(proof, derive(account.signingSecret, 'issuer ticket', `${attemptId} ${expires}`));
  return right && /^\d{1,15}$/.test(expires) && Number(expires) > now.getTime();
}
