import { useState } from 'preact/hooks';
import type { SessionAnswer } from '../../shared/api/session.ts';
import { useApp } from '../app/app.tsx';
import { useAction } from '../intent/use-intent.ts';
import { fill } from '../locales/words.ts';
import { Fault } from '../parts/state.tsx';
import { clock } from '../parts/text.tsx';

/** The open checkouts of an order, with their link and a button that closes one. */
export function OpenCheckouts({ sessions, onChanged }: Props & { sessions: readonly SessionAnswer[] }) {
  const { may } = useApp();
  if (!may('sessions')) return null;
  return sessions
    .filter(({ status }) => status === 'open' || status === 'pending')
    .map((session) => <OpenCheckout key={session.id} session={session} onChanged={onChanged} />);
}

/** Gives an element the focus once it is mounted. */
const takeFocus = (element: HTMLElement | null): void => element?.focus();

type Props = { onChanged: () => Promise<void> };

function OpenCheckout({ session, onChanged }: Props & { session: SessionAnswer }) {
  const { api, words, locale } = useApp();
  const { checkout: names } = words;
  const { id, status, expires_at } = session;
  const [link, setLink] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const reading = useAction(
    async () => setLink((await api.session(id)).checkout_url),
    async () => undefined,
  );
  const closing = useAction((key) => api.expireSession(id, key), onChanged);
  const text = status === 'open' ? fill(names.open_until, { time: clock(locale, expires_at) }) : names.pending;
  return (
    <section class="checkout">
      <p>{text}</p>
      {link === undefined ? (
        <button type="button" aria-disabled={reading.isSending} onClick={reading.run}>
          {names.show_link}
        </button>
      ) : (
        <label>
          {names.link}
          <input ref={takeFocus} readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
      )}
      {status === 'open' && !isAsking && (
        <button type="button" onClick={() => setAsking(true)}>
          {names.close}
        </button>
      )}
      {status === 'open' && isAsking && (
        <p class="sure">
          {names.close_sure}{' '}
          <button type="button" aria-disabled={closing.isSending} onClick={closing.run}>
            {names.close}
          </button>{' '}
          <button type="button" onClick={() => setAsking(false)}>
            {words.back}
          </button>
        </p>
      )}
      <Fault text={reading.fault ?? closing.fault} />
    </section>
  );
}
