import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { runOf } from '../base/command.ts';
import { codeOf, EXIT, type ExitCode, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';

/** The relay's store needs Node's SQLite. */
const MIN_NODE = 24;

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port from 0 to 65535')
  .optional();

/** `turnpike sandbox`. */
export function sandboxCommand(io: Io, ends: (code: ExitCode) => void): Command {
  return new Command('sandbox')
    .option('--data <folder>', 'where orders and books are kept; delete it to start again', '.turnpike')
    .option('--port <port>', 'of the relay (default: 8080; 0 is any free port)')
    .option('--gateway-port <port>', 'of the gateway (default: 8081)')
    .option('--shop-port <port>', 'of the example shop (default: 8082)')
    .option('--webhook-url <url>', 'where webhooks go (default: the example shop)')
    .option('--origin <origins...>', 'origins of your own shop, whose pages may hold the checkout')
    .option('--month', 'also make a month of orders for the console, in the background, unless the folder has one')
    .addHelpText(
      'after',
      '\nSANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET keep the key and the secret from one start to the next.',
    )
    .action(async (_options: unknown, command: Command) => {
      const { options } = runOf(io, command, {
        ...{ data: z.string(), port, gatewayPort: port, shopPort: port },
        webhookUrl: z.url().optional(),
        origin: z.array(z.string()).default([]),
        month: z.boolean().default(false),
      });
      const [major = 0] = process.versions.node.split('.').map(Number);
      if (major < MIN_NODE) throw new UsageError(`turnpike sandbox needs Node ${MIN_NODE} or newer.`);
      const code = await run(io, {
        ...io.env,
        // The variables of the shop's real relay are removed.
        ...{ TURNPIKE_API_KEY: undefined, TURNPIKE_WEBHOOK_SECRET: undefined },
        SANDBOX_DATA: folderAt(options.data),
        SANDBOX_MONTH: options.month ? 'on' : 'off',
        ...(options.port && { PORT_RELAY: options.port }),
        ...(options.gatewayPort && { PORT_GATEWAY: options.gatewayPort }),
        ...(options.shopPort && { PORT_SHOP: options.shopPort }),
        ...(options.webhookUrl && { SHOP_WEBHOOK_URL: options.webhookUrl }),
        ...(options.origin.length > 0 && { SHOP_ORIGINS: options.origin.join(' ') }),
      });
      if (code !== 0) ends(EXIT.refused);
    });
}

/** Runs the sandbox until it ends or is interrupted, which stops it in order. Resolves to its exit code. */
async function run(io: Io, env: Io['env']): Promise<number> {
  const extension = extname(import.meta.filename);
  const script = join(import.meta.dirname, `../../sandbox/start${extension}`);
  const child = fork(script, { env: { ...env }, stdio: 'inherit' });
  // Ctrl-C reaches the sandbox, too; SIGTERM only this process.
  const done = io.onInterrupt(() => void child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  done();
  return Number(code ?? 1);
}

/**
 * Returns the folder at a path. A new folder contains orders and keys: only this person may read it, and Git ignores
 * it.
 */
function folderAt(path: string): string {
  const folder = resolve(path);
  try {
    const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (created !== undefined) writeFileSync(join(folder, '.gitignore'), '*\n');
  } catch (error) {
    throw new UsageError(`${path}: the folder cannot be made (${codeOf(error)})`);
  }
  return folder;
}
