import { join } from 'node:path';
import { BOOKS_FILE, demoMerchant, parts } from '../demo.ts';
import { CannotStart, type Listening, listen, portOf } from '../listen.ts';
import { createGateway } from './gateway.ts';

async function main(): Promise<void> {
  const { app, closeBooks } = createGateway({
    merchants: [demoMerchant],
    publicUrl: () => listening.url,
    booksFile: join('data', BOOKS_FILE),
  });
  const listening: Listening = await listen(app, portOf(parts.gateway, process.env), parts.gateway);
  const { merchant_id, account_id, signing_secret } = demoMerchant;
  console.log(`The sandbox gateway listens on ${listening.url}

  merchant_id      ${merchant_id}
  account_id       ${account_id}
  signing secret   ${signing_secret}

These are public: they guard play money. The gateway's books are in ${join('data', BOOKS_FILE)}: delete the file to start again.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void listening.close().then(closeBooks));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
