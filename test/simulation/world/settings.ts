import { deriveKeys } from '../../../relay/base/keys.ts';
import type { Account, Config } from '../../../relay/config/load.ts';
import type { GatewayVariant } from '../gateway-variant.ts';
import type { ConfigChange } from '../steps.ts';
import { configFor } from './config.ts';

/** The configuration of a world's relays. It changes when they start again. */
export type Settings = {
  /** The configuration of a relay that starts now. */
  current(): Config;
  /** All accounts in their present state, also those that no relay has now. */
  accounts(): readonly Account[];
  change(what: ConfigChange): void;
  /** The changes that the operator must still correct at the end. */
  left(): ConfigChange[];
  /** Whether an account is left out now. */
  isOneGone(): boolean;
  /** Whether this account was ever left out, or later than `since` (ms). */
  wasGone(account: string, since?: number): boolean;
  /** An account with the signing secret from which a session's addresses and tokens were derived. */
  holderOf(account: string, session: string): Account;
};

/** The account that an operator removes from the configuration, and adds again. */
const LEAVER = 'other';

/** @param now the time in ms */
export function createSettings(config: Config, variant: GatewayVariant, now: () => number): Settings {
  const first = configFor(config, variant);
  const { declined } = first.gateway.profile.codes.payment_status;
  const versions = first.accounts.map((account) => [account]);
  let [isGone, paused] = [false, false];
  /** The last time at which the account was left out. */
  let goneAt = Number.NEGATIVE_INFINITY;
  let isListed = !variant.lateCodes;
  const latest = (of: readonly Account[]): Account => {
    const [last] = of.slice(-1);
    if (!last) throw new Error('there is no such account');
    return last;
  };
  return {
    current() {
      const codes = withDeclined(first.gateway.profile.codes, isListed ? declined : []);
      const accounts = versions.map(latest).filter(({ id }) => !isGone || id !== LEAVER);
      const gateway = { ...first.gateway, profile: { ...first.gateway.profile, codes } };
      return { ...first, paused, gateway, accounts };
    },
    accounts: () => versions.map(latest),
    change(what) {
      if (what === 'codes') isListed = true;
      if (what === 'account goes' || what === 'account comes') {
        isGone = what === 'account goes';
        goneAt = now();
      }
      if (what === 'pause' || what === 'resume') paused = what === 'pause';
      if (what === 'secret') for (const of of versions) of.push(withNewSecret(latest(of), of.length));
    },
    left: () => [
      ...(isListed ? [] : ['codes' as const]),
      ...(isGone ? ['account comes' as const] : []),
      ...(paused ? ['resume' as const] : []),
    ],
    isOneGone: () => isGone,
    wasGone: (account, since = Number.NEGATIVE_INFINITY) => account === LEAVER && (isGone ? now() : goneAt) > since,
    holderOf(account, session) {
      const of = versions.find(([one]) => one?.id === account) ?? [];
      // The values of the last two secrets are valid, whichever made them.
      const valid = of.slice(-2);
      return valid[session.charCodeAt(session.length - 1) % valid.length] ?? latest(of);
    },
  };
}

type Codes = Config['gateway']['profile']['codes'];

function withDeclined(codes: Codes, declined: string[]): Codes {
  return { ...codes, payment_status: { ...codes.payment_status, declined } };
}

function withNewSecret(account: Account, nth: number): Account {
  const signingSecret = `${account.signingSecret} ${nth}`;
  return { ...account, signingSecret, derivedKeys: deriveKeys(signingSecret), previousKeys: [account.derivedKeys] };
}
