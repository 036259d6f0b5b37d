import { createHash } from 'node:crypto';

/** The only account of the relays in benchmarks. */
export const benchAccount = {
  id: 'bench',
  merchant_id: '100001',
  account_id: '200001',
  signing_secret: 'a secret of the benchmarks',
};

/** How long after an approval the gateway is asked about it: no benchmark runs so long. */
export const CONFIRM_MS = 86_400_000;

/** The relay's configuration: all functions active, and limits too high to be reached. */
export function relaySettings(options: {
  store: string;
  gatewayPort: number;
  webhooks: 'delivered' | 'kept';
  shopUrl?: string;
  timeoutMs?: number;
  /** The users of the console; without any there is no console. */
  people?: readonly object[];
}): object {
  const { store, gatewayPort, webhooks, shopUrl = 'http://127.0.0.1:8082', timeoutMs = 30_000, people = [] } = options;
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  return {
    listen: { port: 0 },
    public_url: 'http://127.0.0.1:0',
    trust_proxy: ['127.0.0.1'],
    store,
    gateway: { base_url: gateway, timeout_ms: timeoutMs },
    webhooks: { allow_private: true },
    ...(people.length === 0 ? {} : { console: { people } }),
    // Approvals are confirmed when a benchmark puts the clock forward.
    resolve: { confirm_ms: CONFIRM_MS, paid_days: [] },
    limits: {
      attempts_per_ip_per_hour: 1_000_000,
      attempts_per_card_per_hour: 1_000_000,
      attempts_per_account_per_minute: 10_000_000,
    },
    accounts: [
      {
        ...benchAccount,
        name: 'Benchmark',
        allowed_origins: [shopUrl],
        return_urls: [`${shopUrl}/`],
        api_keys: [{ name: 'bench', sha256: createHash('sha256').update('bench').digest('hex'), scopes: ['*'] }],
        webhook: {
          url: `${gateway}/webhooks${webhooks === 'delivered' ? '' : '/never'}`,
          secrets: [`whsec_${Buffer.from('a webhook secret of benchmarks').toString('base64')}`],
        },
      },
    ],
  };
}
