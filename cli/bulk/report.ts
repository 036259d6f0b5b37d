import { RelayRefused } from '../../client/index.ts';
import { EXIT, type ExitCode, failureOf } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { type BulkName, REFERENCE } from './file/layout.ts';
import type { Checked, Suspect } from './file/rows.ts';
import type { Tally } from './results.ts';
import type { Stop } from './stop.ts';

/** Prints what a run would send. */
export function printDryRun(
  out: Output,
  name: BulkName,
  { rows, toSend, amounts, unknown, isAsked }: Checked & { unknown: number; isAsked: boolean },
  leftOver: Pick<Checked, 'rows' | 'amounts'>,
): void {
  const sums = name === 'settle' ? 'decisions' : 'amounts';
  out.record(
    {
      ...{ operation: name, rows, to_send: toSend, [sums]: amounts, left_over: leftOver },
      ...{ asked: isAsked, unknown_payments: unknown },
    },
    {
      rows: String(rows),
      'to send': String(toSend),
      [sums]: amounts.join(', ') || 'none',
      'not known': unknown > 0 ? `${unknown} payments, which the relay leaves to the gateway` : undefined,
      'left over': leftOver.rows > 0 ? `${leftOver.rows}, ${leftOver.amounts.join(', ')}` : undefined,
    },
  );
  out.say(
    isAsked
      ? permittedNote(name, unknown)
      : 'The file is right. Whether the payments permit it was not asked: the key lacks the scope console. Nothing was sent.',
  );
}

function permittedNote(name: BulkName, unknown: number): string {
  if (name === 'settle') return 'The file is right, and what it decides is undecided. Nothing was sent.';
  return `The file is right, and the payments${unknown > 0 ? ' that the relay knows' : ''} permit it. Nothing was sent.`;
}

/** A warning of ids that a spreadsheet may have rounded. */
export function suspectNote([first, ...others]: readonly [Suspect, ...Suspect[]]): string {
  const more = others.length > 0 ? `, and ${others.length} more ids` : '';
  return `The ${first.column} in line ${first.line}${more}: five zeros or more at the end. Check that no spreadsheet has rounded them.`;
}

const AGAIN = 'Run the same command again: no row is sent twice.';

/** A run that has ended. */
type Ended = { name: BulkName; rows: number; tally: Tally; resultsPath: string; journalPath: string };

/** Prints the summary of a run, and the advice. */
export function printEnd(out: Output, stop: Stop, { name, rows, tally, resultsPath, journalPath }: Ended): void {
  out.record(
    { operation: name, rows, ...tally, results: resultsPath, journal: journalPath },
    {
      rows: String(rows),
      ...Object.fromEntries(
        Object.entries(tally).map(([result, count]) => [
          result.replace('_', ' '),
          count > 0 ? String(count) : undefined,
        ]),
      ),
      results: resultsPath,
      journal: journalPath,
    },
  );
  const error = stop.error === undefined ? undefined : failureOf(stop.error);
  if (error) out.failure({ ...error.failure, hint: stop.error instanceof RelayRefused ? error.failure.hint : AGAIN });
  if (tally.not_sent > 0) out.say('To go on, run the same command again: no row is sent twice.');
  if (tally.refused > 0) out.say('To try the refused rows again, correct them and run the same command again.');
  if (tally.done_before > 0) {
    out.say(
      `${tally.done_before} rows had been done before, by another file or with another journal: see their messages.`,
    );
  }
  if (tally.failed > 0) out.say(`A failed row is tried again only under another ${REFERENCE}.`);
  if (tally.unknown > 0) {
    out.say(
      'Unknown rows may have been done, so they are not sent again. Run the same command again later to ask about them.',
    );
  }
}

/** The exit code of a run: an unknown row counts more than anything else. */
export function exitCodeOf(stop: Stop, rows: number, tally: Tally): ExitCode {
  const error = stop.error === undefined ? undefined : failureOf(stop.error);
  if (tally.unknown > 0) return EXIT.unknown;
  if (tally.succeeded === rows) return error ? error.exitCode : EXIT.done;
  if (tally.succeeded > 0 || (stop.isStopping && !error)) return EXIT.partly;
  return error && error.exitCode !== EXIT.done && error.exitCode !== EXIT.unknown ? error.exitCode : EXIT.refused;
}

/** The question before a run: the amounts that it sends, and the remaining items of an earlier run. */
export function questionOf(
  name: BulkName,
  { rows, toSend, amounts }: Checked,
  limit: number,
  url: string,
  left: Pick<Checked, 'rows' | 'amounts'>,
): string {
  const verb = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const of = toSend === rows ? '' : ` of ${rows}`;
  const sum = amounts.length > 0 ? `, ${amounts.join(' and ')}` : '';
  const first =
    left.rows > 0 ? `, after ${left.rows} rows as an earlier run left them over, ${left.amounts.join(' and ')}` : '';
  return `${verb} ${toSend}${of} rows${sum}, in ${Math.ceil(toSend / limit)} requests to ${url}${first}?`;
}
