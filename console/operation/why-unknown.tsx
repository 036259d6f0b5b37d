import type { OperationAnswer } from '../api/read.ts';
import { useApp } from '../app/app.ts';
import { clock, Foreign, Time } from '../parts/text.tsx';

/** Why it is not known what became of an operation, how far the search for it is, and what to do. */
export function WhyUnknown({ unknown }: { unknown: NonNullable<OperationAnswer['unknown']> }) {
  const { words, locale } = useApp();
  const { reason, since, looks = 0, last_look, next_look_at, needs_attention } = unknown;
  const { why_unknown: why, operation } = words;
  return (
    <div class="notice open">
      <p>
        <strong>{needs_attention ? operation.unknown_attention : operation.unknown}</strong>
      </p>
      <p>
        <Reason reason={reason} /> {words.home.since} <Time at={since} />.
      </p>
      {looks > 0 && (
        <p>
          {why.looks(looks)}
          {last_look && (
            <>
              , {why.last} <Time at={last_look.at} />: {operation.found[last_look.found]}
            </>
          )}
          . {next_look_at !== undefined && words.order.next_look(clock(locale, next_look_at))}
        </p>
      )}
    </div>
  );
}

function Reason({ reason }: { reason: string }) {
  const { why_unknown: why } = useApp().words;
  const texts: Readonly<Record<string, string>> = why.reasons;
  if (Object.hasOwn(texts, reason)) return <>{texts[reason]}</>;
  return (
    <>
      {why.other} <Foreign text={reason} />.
    </>
  );
}
