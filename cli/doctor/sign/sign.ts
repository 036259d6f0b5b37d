import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { z } from 'zod';
import { runOf } from '../../base/command.ts';
import { codeOf, type ExitCode, UsageError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { readText } from '../../base/settings.ts';
import { exitCodeOf, printFindings } from '../finding.ts';

/** The maximum time of the search: together with the start of the command it is less than a minute. */
const SEARCH_MS = 55_000;

/** `turnpike doctor sign`. Ends with 4 if no signing fits, or more than one. */
export function signCommand(io: Io, ends: (code: ExitCode) => void): Command {
  return new Command('sign')
    .description('find how a gateway signs, from one signed message and the secret; nothing is sent')
    .requiredOption('--message <file>', 'the message as it was sent: JSON, XML, or the body of a form')
    .requiredOption('--secret-file <file>', 'a file with the signing secret')
    .option('--signature <text>', 'its signature, where the message has no encryption_data')
    .option('--operation <name>', 'whose message it is, such as query (default: by its fields)')
    .addHelpText(
      'after',
      '\nExit codes: 0 found, 1 found but something is wrong, 2 usage, 4 not found, or several fit.',
    )
    .action(async (_options: unknown, command: Command) => {
      const { operationOption, readMessage, recognise } = await import('./read-message.ts');
      const { out, options } = runOf(io, command, {
        message: z.string(),
        secretFile: z.string(),
        signature: z.string().optional(),
        operation: operationOption.optional(),
      });
      const { solve } = await import('./search.ts');
      const { signedFindings, fragmentOf } = await import('./signed-findings.ts');
      const { secretForms } = await import('./secret-forms.ts');
      const read = readMessage(bytesOf(options.message), options.message);
      const subject = recognise(read, options.operation);
      const signature = await signatureOf(options.signature, read.message.encryption_data);
      const secrets = secretForms(readText(options.secretFile, 'the secret file'));
      if (secrets.length === 0) throw new UsageError(`The secret file ${options.secretFile} is empty.`);
      out.say('Searching, for a minute at most. Nothing is sent.');
      const values = secrets.map(({ value }) => value);
      const solved = solve({ ...subject, signature }, values, { budgetMs: SEARCH_MS, now: () => io.now().getTime() });
      const findings = signedFindings({ subject, form: read.form, signature, secrets }, solved);
      await printFindings(io, out, findings);
      const fragment = fragmentOf(solved);
      if (fragment !== undefined && !out.isJson) io.out.write(`\n${fragment}\n`);
      ends(exitCodeOf(findings));
    });
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`Cannot read the message ${path} (${codeOf(error, 'unreadable')}).`);
  }
}

/** The given signature, otherwise the message's own. Throws UsageError if it cannot be a signature. */
async function signatureOf(given: string | undefined, own: unknown): Promise<string> {
  const { readSignature } = await import('./forms.ts');
  const text = given ?? (typeof own === 'string' ? own : '');
  const signature = (/%[\da-f]{2}/i.test(text) ? decoded(text) : text).trim().replace(/^(["'])(.*)\1$/, '$2');
  if (signature === '') {
    throw new UsageError('No signature is given.', 'Give --signature, or a message with its encryption_data.');
  }
  if (readSignature(signature)) return signature;
  throw new UsageError(
    'The signature is the text of no hash.',
    'It is 32, 40, 64, 96 or 128 hex digits, or the base64 of 16, 20, 32, 48 or 64 bytes. Is it whole?',
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
