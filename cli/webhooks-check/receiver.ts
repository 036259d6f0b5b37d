import { Command } from 'commander';
import { z } from 'zod';
import { runOf } from '../base/cli.ts';
import { type ExitCode, UsageError } from '../base/errors.ts';
import { exitCodeOf, printFindings } from '../base/finding.ts';
import type { Io } from '../base/io.ts';
import { requiredSecret, SECRET_VARIABLE, target, warnOfPlainHttp } from '../webhooks/target.ts';

/** `turnpike doctor receiver URL`. Ends with 1 where the receiver does not do what it should. */
export function receiverCommand(io: Io, ends: (code: ExitCode) => void): Command {
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
