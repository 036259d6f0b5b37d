import { Command } from 'commander';
import { z } from 'zod';
import { runOf } from '../base/command.ts';
import { type ExitCode, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { list } from '../base/options.ts';
import { requiredSecret, SECRET_VARIABLE, target, warnOfPlainHttp } from '../webhooks/post.ts';
import { exitCodeOf, printFindings } from './finding.ts';
import { signCommand } from './sign/sign.ts';

const order = z.string().min(1).max(255);

/** `turnpike doctor`, `turnpike doctor receiver` and `turnpike doctor sign`. */
export function doctorCommand(io: Io, ends: (code: ExitCode) => void): Command {
  return new Command('doctor')
    .option('--config <file>', 'the relay’s settings (or TURNPIKE_CONFIG)')
    .option('--account <id>', 'the account to check with (default: the first one in the settings)')
    .option(
      '--probe',
      'try other settings even where the gateway is not on loopback: at most ten messages, which change nothing',
    )
    .option('--orders <a,b>', 'two paid orders of this account, to check lists and codes with')
    .addHelpText('after', '\nExit codes: 0 all right, 1 something is wrong, 2 usage, 4 something could not be checked.')
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {
        config: z.string().optional(),
        account: z.string().optional(),
        probe: z.boolean().default(false),
        orders: list.pipe(z.array(order).length(2, 'must name two orders')).optional(),
      });
      const file = options.config ?? io.env.TURNPIKE_CONFIG;
      if (!file) throw new UsageError('No settings are named.', 'Give --config, or set TURNPIKE_CONFIG.');
      // The relay's gateway client needs it.
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      if (major < 22 || (major === 22 && minor < 19)) {
        throw new UsageError('turnpike doctor needs Node 22.19 or newer.', 'Run it on the relay’s machine.');
      }
      const { examine } = await import('./examine.ts');
      const { findings, sent } = await examine(io, { ...options, file, client });
      await printFindings(io, out, findings);
      out.say(`The gateway got ${sent} ${sent === 1 ? 'message' : 'messages'} in the account’s name.`);
      ends(exitCodeOf(findings));
    })
    .addCommand(receiverCommand(io, ends))
    .addCommand(signCommand(io, ends));
}

/** `turnpike doctor receiver URL`. Ends with 1 if a check of the receiver fails. */
function receiverCommand(io: Io, ends: (code: ExitCode) => void): Command {
  return new Command('receiver')
    .description('check a shop’s webhook receiver: it gets a sample event, signed and forged')
    .argument('<url>', 'the receiver, such as https://shop.example/webhooks')
    .option('--secret-file <file>', `a file with the secret that it verifies with (or ${SECRET_VARIABLE})`)
    .action(async (address: string, _options: unknown, command: Command) => {
      const { out, options } = runOf(io, command, { secretFile: z.string().optional() });
      const url = target.safeParse(address);
      if (!url.success) throw new UsageError(`The receiver ${url.error.issues[0]?.message}.`);
      const secret = requiredSecret(io, options.secretFile);
      warnOfPlainHttp(out, url.data);
      const { checkReceiver } = await import('./check-receiver.ts');
      const findings = await checkReceiver(io, { url: url.data, secret });
      await printFindings(io, out, findings);
      ends(exitCodeOf(findings));
    });
}
