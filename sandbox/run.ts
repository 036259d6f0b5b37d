import { once } from 'node:events';
import { join } from 'node:path';
import { testCards } from '../shared/card-data/test-cards.ts';
import { demoPerson } from './demo.ts';
import { grouped } from './gateway/faults/test-cards.ts';
import { CannotStart } from './listen.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

/** Starts everything, prints the addresses, and stops it at Ctrl-C or SIGTERM. Sets the process's exit code. */
export async function run(options: Omit<StackOptions, 'env' | 'errors'>): Promise<void> {
  const stopping = new AbortController();
  // A second Ctrl-C does nothing: it would end this process before the relay, which needs time to finish its work.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  // The signal of the parent command, if there is one. It does not keep the process alive.
  process.once('disconnect', () => stopping.abort());
  process.channel?.unref();
  try {
    const say = (line: string): void => console.log(line);
    const stack = await startStack({ ...options, say, env: process.env, errors: process.stderr });
    if (!stopping.signal.aborted) {
      console.log(welcome(stack, options));
    }
    const how = await Promise.race([stack.relayEnded, aborted(stopping.signal)]);
    const byItself = !stopping.signal.aborted;
    await stack.stop();
    if (byItself)
      fail(`The relay ended by itself (${how}), so everything was stopped. See ${options.dataDir}/relay.log.`);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    // Ctrl-C also reaches the relay, which then never listens.
    if (!stopping.signal.aborted) fail(error.message);
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}

const lostBooks = (
  dataDir: string,
) => `  The gateway's books of earlier starts are lost: it knows none of their orders. Delete the folder ${dataDir} to start again.

`;

const monthComes = `  A month of orders for the console is being made, this once. Buy meanwhile: the relay restarts when it is there.

`;

/** A secret, or the variable with it: the value may be that of another relay. */
function shown(secret: string, variable: string | undefined): string {
  return variable === undefined ? secret : `(from ${variable})`;
}

/** A line for the shell of a developer's own shop, with the values that are not already in the environment. */
function exports({ urls, apiKey, webhooks, variables }: Stack): string {
  const values = [
    `TURNPIKE_URL=${urls.relay}`,
    ...(variables.apiKey === undefined ? [`TURNPIKE_API_KEY=${apiKey}`] : []),
    ...(variables.webhookSecret === undefined ? [`TURNPIKE_WEBHOOK_SECRET=${webhooks.secret}`] : []),
  ];
  return `export ${values.join(' ')}`;
}

function welcome(
  stack: Stack,
  { beside: other, dataDir, apiKey: fixedKey }: Pick<StackOptions, 'beside' | 'dataDir' | 'apiKey'>,
): string {
  const { apiKey, webhooks, variables, password, hasLostBooks, month } = stack;
  const { shop, gateway, relay, beside } = stack.urls;
  const console =
    password === undefined ? '' : `\n    Console   ${relay}/console   sign in as ${demoPerson} with ${password}`;
  const isKept = (variables.apiKey ?? fixedKey) !== undefined;
  return `
  Turnpike is running. Buy some tea:

    Shop      ${shop}${beside === undefined ? '' : `\n    Example   ${beside}   ${other?.title}`}
    Gateway   ${gateway}   shows every message it gets and answers
    Relay     ${relay}   its API is described at ${relay}/docs; ${isKept ? 'its key' : 'until the next start its key'} is
              ${shown(apiKey, variables.apiKey)}${console}
    Webhooks  ${webhooks.url}   signed with ${shown(webhooks.secret, variables.webhookSecret)}

  For the server of your own shop, paste this into its shell:

    ${exports(stack)}

  Test cards, with any expiry date to come and any security code:

${[testCards.approved, testCards.declined, testCards.silent].map(({ number, title }) => `    ${grouped(number)}   ${title}`).join('\n')}

    All of them, and what the form shows for each: ${gateway}/cards

${hasLostBooks ? lostBooks(dataDir) : ''}${month ? monthComes : ''}  The relay's log is ${join(dataDir, 'relay.log')}; LOG_LEVEL=debug makes it longer.

  Ctrl-C stops everything.
`;
}
