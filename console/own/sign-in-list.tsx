import { useRef, useState } from 'preact/hooks';
import type { OwnSignIn } from '../../shared/api/console.ts';
import { useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { Badge, Fault } from '../parts/state.tsx';
import { clock, Foreign, Time } from '../parts/text.tsx';

/** The person's sign-ins, each with a button that ends it. */
export function SignInList({ signIns, again }: { signIns: readonly OwnSignIn[]; again: () => Promise<void> }) {
  const { api, words, locale } = useApp();
  const { own } = words;
  const [state, setState] = useState<'seen' | 'ending' | 'ended' | 'failed'>('seen');
  const list = useRef<HTMLUListElement>(null);
  const end = async (which: { id?: string }): Promise<void> => {
    if (state === 'ending') return;
    setState('ending');
    try {
      await api.changeOwn('sign-ins/end', which);
      setState('ended');
      // The button of the ended sign-in disappears.
      list.current?.focus();
    } catch {
      setState('failed');
    }
    await again();
  };
  return (
    <>
      <ul class="own-sign-ins" ref={list} tabIndex={-1} aria-label={own.sign_ins}>
        {signIns.map(({ id, by, created_at, seen_at, ip, is_current }) => (
          <li key={id}>
            <span>
              <span class="quiet">{own.since}</span> <Time at={created_at} />
            </span>
            <span>
              <span class="quiet">{own.seen}</span> <Time at={seen_at} />
            </span>
            <span class="code">{ip !== undefined && <Foreign text={ip} />}</span>
            <span class="own-end">
              {by === 'header' && <Badge tone="quiet">{own.by_header}</Badge>}
              {is_current ? (
                <Badge tone="good">{own.this_one}</Badge>
              ) : (
                <button
                  type="button"
                  aria-label={fill(own.end_one, { time: clock(locale, created_at) })}
                  onClick={() => void end({ id })}
                >
                  {own.end}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div class="actions">
        {signIns.length > 1 && (
          <button type="button" onClick={() => void end({})}>
            {own.end_others}
          </button>
        )}
        <span role="status">{state === 'ended' && own.ended}</span>
      </div>
      <Fault text={state === 'failed' ? words.no_connection : undefined} />
    </>
  );
}
