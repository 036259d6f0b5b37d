import { sha256 } from '../../../relay/base/keys.ts';
import { type Account, type Config, checkConfig } from '../../../relay/config/load.ts';
import type { GatewayVariant } from '../gateway-variant.ts';
import { standingStatus } from './gateway/books.ts';
import { TIMEOUT_MS } from './gateway/gateway.ts';
import { NOT_FOUND } from './gateway/variants.ts';

/** Longer than an attempt is watched (30 days), and short enough that a history can outlast it. */
export const RETENTION_DAYS = 40;

/** The review_flag with which a simulated shop rejects a payment. */
export const REJECTING = 'REJECT';

/** How long a payment must have been searched for before it counts as absent. */
export const ABSENT_MS = 15 * 60_000;

/** How long a payment is searched for after its shopper returned from the issuer's page. */
export const RETURN_MS = 60_000;

/** A shopper's payments in one hour; each order has a shopper of its own. */
export const MAX_TRIES_PER_HOUR = 2;

/** The API key of an account's shop. */
export const keyOf = ({ id }: { id: string }): string => `key-of-${id}`;

/** The address to which an account's webhooks are sent. */
export const receiverOf = ({ id }: { id: string }): string => `https://${id}.example/webhooks`;

/** The address of the second endpoint of an account, in a world with two endpoints. */
const BOOKS = 'https://books.';
const booksOf = ({ id }: { id: string }): string => `${BOOKS}${id}.example/webhooks`;
export const isOfBooks = (url: string): boolean => url.startsWith(BOOKS);

/** The account without an endpoint, in a world with such an account. */
export const UNHEARD = 'other';

/** The configuration of every simulated relay: two accounts, and a gateway that knows pending payments. */
export function simulatedConfig(): Config {
  return checkConfig(
    {
      public_url: 'http://127.0.0.1:8080',
      store: 'sqlite::memory:',
      gateway: {
        base_url: 'http://127.0.0.1:8081',
        timeout_ms: TIMEOUT_MS,
        profile: {
          codes: {
            payout_status: { completed: ['COMPLETED'], failed: ['FAILED'] },
            order_status: { approved: ['1'], declined: ['0'], pending: ['2'] },
            payment_status: {
              ...{ approved: ['3000'], declined: ['4100'], pending: ['2000'] },
              ...{ held: [standingStatus.held], charged_back: [standingStatus.reversed] },
            },
          },
        },
      },
      limits: {
        attempts_per_card_per_hour: 1_000_000,
        attempts_per_account_per_minute: 1_000_000,
        attempts_per_ip_per_hour: MAX_TRIES_PER_HOUR,
      },
      resolve: { absent_ms: ABSENT_MS, return_ms: RETURN_MS },
      retention_days: RETENTION_DAYS,
      accounts: [
        account({ id: 'demo', merchant_id: '100001', account_id: '200001', signing_secret: 'k3y-for-tests' }),
        account({ id: 'other', merchant_id: '100002', account_id: '200002', signing_secret: 'an0ther k3y' }),
      ],
    },
    {},
  );
}

/** The configuration of relays for a gateway with deviations. */
export function configFor(config: Config, { emptyLists, zone, wording, endpoints, paidDays }: GatewayVariant): Config {
  const { codes } = config.gateway.profile;
  const profile = {
    ...config.gateway.profile,
    ...(wording === 'not found' ? { codes: { ...codes, query_result: { not_found: [NOT_FOUND] } } } : {}),
    ...(emptyLists === undefined ? {} : { query_without_list: emptyLists }),
    ...(zone ? { gateway_time_zone: 'Europe/Paris' } : {}),
  };
  const accounts = config.accounts.map((account) => ({ ...account, webhooks: endpointsOf(account, endpoints) }));
  const resolve = paidDays === 'none' ? { ...config.resolve, paid_days: [] } : config.resolve;
  return { ...config, resolve, gateway: { ...config.gateway, profile }, accounts };
}

function endpointsOf({ id, webhooks }: Account, endpoints: GatewayVariant['endpoints']): Account['webhooks'] {
  if (endpoints === 'none' && id === UNHEARD) return [];
  if (endpoints !== 'two') return webhooks;
  return [...webhooks, ...webhooks.map((one) => ({ ...one, id: 'books', url: booksOf({ id }) }))];
}

function account(own: { id: string; merchant_id: string; account_id: string; signing_secret: string }): object {
  return {
    ...own,
    allowed_origins: [`https://${own.id}.example`],
    api_keys: [{ name: 'all', sha256: sha256(keyOf(own)), scopes: ['*'] }],
    webhook: { url: receiverOf(own), secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] },
  };
}
