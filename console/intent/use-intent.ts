import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newKey } from '../api/api.ts';
import { Refused, readJson } from '../api/send.ts';
import { useApp } from '../app/app.tsx';
import { afterTry, type Ending, type Intent, isOpenEnded, type Phase } from './action.ts';

/** The maximum length of a sign-in. The relay stores a key for at least a day. A later retry would be a new request. */
const KEPT_MS = 12 * 3_600_000;

/**
 * The request of a dialog. Its key is created when the dialog opens, and every retry uses the same key and body. The intent is
 * stored from before the first try until an answer comes. A later dialog with the same subject continues it: `earlier` is its body.
 *
 * `submit` sends the body, or the earlier one. `send` makes the request with the key and returns how it ended. One try runs at a
 * time.
 */
export function useIntent<Body extends object>(subject: readonly string[]) {
  const kept = useKeptIntents();
  const [first] = useState(() => begin<Body>(kept, subject));
  const [intent, setIntent] = useState(first);
  const isSending = useRef(false);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const isOpen = isOpenEnded(intent.phase);
  useEffect(() => {
    if (!isOpen) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isOpen]);

  const submit = async (written: Body, send: (body: Body, key: string) => Promise<Ending>): Promise<void> => {
    if (isSending.current) return;
    const { key, sent = { body: written, at: Date.now() } } = intent;
    if (isOld(sent.at)) return setIntent({ key, phase: tooOld });
    isSending.current = true;
    kept.keep({ subject, key, ...sent, href: `${window.location.pathname}${window.location.search}` });
    const isAgain = intent.sent !== undefined;
    const sending: Intent<Body> = { key, sent, phase: { step: 'sending', ...(isAgain ? { isAgain } : {}) } };
    setIntent(sending);
    const ending = await send(sent.body, key).catch((error: unknown): Ending => ({ kind: 'error', error }));
    isSending.current = false;
    const next = afterTry<Body>(sending, ending, newKey);
    if (!isOpenEnded(next.phase)) kept.forget(subject, key);
    if (isThere.current) setIntent(next);
  };
  return { intent, earlier: first.sent?.body, submit };
}

function begin<Body extends object>(kept: KeptIntents, subject: readonly string[]): Intent<Body> {
  const found = kept.find<Body>(subject);
  if (!found) return { key: newKey(), phase: { step: 'writing' } };
  const { key, body, at } = found;
  const sent = { body, at };
  if (!isOld(at)) return { key, sent, phase: { step: 'unanswered', isEarlier: true } };
  // The dialog shows the old request once.
  kept.forget(subject, key);
  return { key, sent, phase: tooOld };
}

const tooOld: Phase = { step: 'unknown', operationId: undefined };

/** A stored time in the future means that the clock was set back. The request counts as old. */
const isOld = (at: number): boolean => Math.abs(Date.now() - at) >= KEPT_MS;

/**
 * A button's request that is safe to repeat. One press runs at a time. If no answer comes, the next press sends the same request
 * again. `fault` says why the last one failed.
 */
export function useAction(send: (key: string) => Promise<unknown>, after: () => Promise<void>) {
  const { words } = useApp();
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string>();
  const key = useRef(newKey());
  const run = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setFault(undefined);
    try {
      await send(key.current);
      key.current = newKey();
    } catch (error) {
      if (error instanceof Refused) key.current = newKey();
      setFault(error instanceof Refused ? error.message : words.not_known_whether);
    }
    await after();
    setSending(false);
  };
  return { isSending, fault, run: () => void run() };
}

/** A request without an answer. `subject` identifies its dialog. */
type KeptIntent<Body extends object = object> = {
  subject: readonly string[];
  key: string;
  body: Body;
  /** The time of the first try, in milliseconds. */
  at: number;
  /** The address of the page that sent it. */
  href: string;
};

/** The unanswered requests of one person for one account in this tab. They survive a reload, and other people do not see them. */
type KeptIntents = ReturnType<typeof keptIntents>;

const PREFIX = 'turnpike.intent ';

/** Keeps intents in a storage. `owner` is the person and the account: keys belong to one person. */
export function keptIntents(storage: Storage, owner: readonly [person: string, account: string]) {
  const nameOf = (subject: readonly string[]): string => PREFIX + JSON.stringify([...owner, ...subject]);
  const find = <Body extends object>(subject: readonly string[]): KeptIntent<Body> | undefined => {
    const kept = readJson<Omit<KeptIntent<Body>, 'subject'> | null>(storage.getItem(nameOf(subject)) ?? 'null');
    return kept?.body && { subject, ...kept };
  };
  return {
    all: (): KeptIntent[] =>
      Array.from({ length: storage.length }, (_, at) => storage.key(at)).flatMap((name) => {
        const texts = name?.startsWith(PREFIX) ? readJson<string[]>(name.slice(PREFIX.length)) : undefined;
        if (!texts || owner.some((part, at) => texts[at] !== part)) return [];
        return find(texts.slice(owner.length)) ?? [];
      }),
    find,
    keep: ({ subject, ...kept }: KeptIntent) => {
      try {
        storage.setItem(nameOf(subject), JSON.stringify(kept));
      } catch {
        // The browser stores nothing: the dialog keeps the intent while the page is open.
      }
    },
    /** Deletes the request with this key. A closed dialog may end after a newer dialog has stored its request. */
    forget: (subject: readonly string[], key: string) => {
      if (find(subject)?.key === key) storage.removeItem(nameOf(subject));
    },
  };
}

/** The intents of the signed-in person, for the open account. */
export function useKeptIntents(): KeptIntents {
  const { storage, me, account } = useApp();
  return useMemo(() => keptIntents(storage, [me.name, account.id]), [storage, me.name, account.id]);
}
