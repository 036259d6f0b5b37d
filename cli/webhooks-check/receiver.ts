import { Command } from 'commander';
import { z } from 'zod';
import { runOf } from '../base/cli.ts';
import { EXIT, type ExitCode, UsageError } from '../base/errors.ts';
import { type Io, styled } from '../base/io.ts';
import { requiredSecret, SECRET_VARIABLE } from '../webhooks/secret.ts';
import { target, warnOfPlainHttp } from '../webhooks/target.ts';
import type { ReceiverFinding } from './check-receiver.ts';

/** `receiver URL`, to be added under `turnpike doctor`. Ends with 1 where the receiver does not do what it should. */
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
      if (out.isJson) await out.rows(findings, []);
      else printFindings(io, findings);
      if (findings.some(({ status }) => status === 'wrong')) ends(EXIT.refused);
    });
}

function printFindings(io: Io, findings: readonly ReceiverFinding[]): void {
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, says, next } of findings) {
    const mark = styled(io, io.out, status === 'ok' ? 'green' : 'red', status.padEnd(7));
    io.out.write(`${mark}  ${check.padEnd(width)}  ${says}\n`);
    if (next !== undefined) io.out.write(`${' '.repeat(width + 11)}${next}\n`);
  }
}
