import { sha256 } from '../../../relay/base/keys.ts';
import { type Config, checkConfig } from '../../../relay/config/load.ts';
import { TIMEOUT_MS } from './gateway/gateway.ts';

/** Longer than an attempt is watched (30 days), and short enough that a history can outlast it. */
export const RETENTION_DAYS = 40;

/** A shopper's payments in one hour; each order has a shopper of its own. */
export const MAX_TRIES_PER_HOUR = 2;

/** The key of the shop's server. */
export const API_KEY = 'key-of-the-shop';

/** The configuration of every simulated relay: one account, and a gateway that knows pending payments. */
export function simulatedConfig(): Config {
  return checkConfig(
    {
      public_url: 'http://127.0.0.1:8080',
      store: 'sqlite::memory:',
      gateway: {
        base_url: 'http://127.0.0.1:8081',
        timeout_ms: TIMEOUT_MS,
        profile: { codes: { payment_status: { approved: ['3000'], declined: ['4100'], pending: ['2000'] } } },
      },
      limits: {
        attempts_per_card_per_hour: 1_000_000,
        attempts_per_account_per_minute: 1_000_000,
        attempts_per_ip_per_hour: MAX_TRIES_PER_HOUR,
      },
      retention_days: RETENTION_DAYS,
      accounts: [
        {
          ...{ id: 'demo', merchant_id: '100001', account_id: '200001', signing_secret: 'k3y-for-tests' },
          allowed_origins: ['https://shop.example'],
          api_keys: [{ name: 'all', sha256: sha256(API_KEY), scopes: ['*'] }],
          webhook: {
            url: 'https://shop.example/webhooks',
            secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`],
          },
        },
      ],
    },
    {},
  );
}
