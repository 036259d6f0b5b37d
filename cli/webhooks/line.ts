import { type Io, type Style, styled } from '../base/io.ts';
import { type Output, plain } from '../base/output.ts';
import { isTaken, type Tried, type Webhook } from './post.ts';

/** Prints one try to deliver a webhook: a line for people, an object with `--json`. `note` says what follows from it. */
export function printTry(
  { io, out }: { io: Io; out: Output },
  webhook: Webhook & { subject?: string; created_at?: string },
  tried: Tried,
  note = '',
): void {
  const { id, type, subject, created_at } = webhook;
  const at = io.now();
  if (out.isJson) {
    const { kind, ms, ...outcome } = tried;
    const object = { at: at.toISOString(), id, type, subject, created_at, delivered: isTaken(tried), ...outcome, ms };
    io.out.write(`${JSON.stringify(object)}\n`);
    return;
  }
  const { text, style } = outcomeOf(tried);
  const time = styled(io, io.out, 'dim', clock(at));
  const outcome = `${styled(io, io.out, style, text)} ${tried.ms} ms`;
  io.out.write(`${time} ${plain(type)} ${plain(id)} → ${outcome}${note && `, ${note}`}\n`);
}

function outcomeOf(tried: Tried): { text: string; style: Style } {
  switch (tried.kind) {
    case 'answered':
      return { text: String(tried.status), style: isTaken(tried) ? 'green' : 'red' };
    case 'no_answer':
      return { text: tried.fault, style: 'red' };
    case 'stopped':
      return { text: 'cut off', style: 'yellow' };
  }
}

/** The time of day where the command runs. */
function clock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
