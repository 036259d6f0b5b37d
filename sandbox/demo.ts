/** The only merchant of the sandbox. Its secret is public, because no real money moves. */
export const demoMerchant = {
  merchant_id: '100001',
  account_id: '200001',
  signing_secret: 'sandbox-signing-secret-guards-no-real-money',
} as const;

/** The file with the gateway's records, beside the relay's store. */
export const BOOKS_FILE = 'sandbox.json';

/** The person who signs in to the console. */
export const demoPerson = 'Demo';

/** The port of each part, and the variable that changes it. */
export const parts = {
  relay: { name: 'relay', variable: 'PORT_RELAY', port: 8080 },
  gateway: { name: 'gateway', variable: 'PORT_GATEWAY', port: 8081 },
  shop: { name: 'shop', variable: 'PORT_SHOP', port: 8082 },
} as const;

/** `port` is the default. */
export type Part = { readonly name: string; readonly variable: string; readonly port: number };
