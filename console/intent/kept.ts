import { useMemo } from 'preact/hooks';
import { isObject } from '../../shared/checkout/is-object.ts';
import { list, text } from '../api/guards.ts';
import { useApp } from '../app/app.ts';

/** Something that was sent and has no answer. `subject` is what its dialog is about, the same whenever it opens for the same. */
type KeptIntent = {
  subject: readonly string[];
  key: string;
  body: object;
  /** When it was sent first, in milliseconds. */
  at: number;
  /** The address of the page that it was sent from. */
  href: string;
};

/** What one person sent for one account in this tab, and has no answer to. It outlives the page; nobody else finds it. */
export type KeptIntents = {
  all(): KeptIntent[];
  find(subject: readonly string[]): KeptIntent | undefined;
  keep(intent: KeptIntent): void;
  forget(subject: readonly string[]): void;
};

const PREFIX = 'turnpike.intent ';

/** Keeps intents in a storage; `owner` is the person and the account, for another person's keys do other requests. */
export function keptIntents(storage: Storage, owner: readonly [person: string, account: string]): KeptIntents {
  const nameOf = (subject: readonly string[]): string => PREFIX + JSON.stringify([...owner, ...subject]);
  const find = (subject: readonly string[]): KeptIntent | undefined => {
    const kept = parsed(storage.getItem(nameOf(subject)));
    if (!isObject(kept) || !isObject(kept.body)) return undefined;
    const { key, at, href, body } = kept;
    const isWhole = typeof key === 'string' && typeof at === 'number' && typeof href === 'string';
    return isWhole ? { subject, key, at, href, body } : undefined;
  };
  return {
    all: () =>
      Array.from({ length: storage.length }, (_, at) => storage.key(at)).flatMap((name) => {
        const texts = name?.startsWith(PREFIX) ? parsed(name.slice(PREFIX.length)) : undefined;
        if (!isTexts(texts) || owner.some((part, at) => texts[at] !== part)) return [];
        return find(texts.slice(owner.length)) ?? [];
      }),
    find,
    keep: ({ subject, ...kept }) => {
      try {
        storage.setItem(nameOf(subject), JSON.stringify(kept));
      } catch {
        // A browser that keeps nothing: the dialog has it as long as the page is open.
      }
    },
    forget: (subject) => storage.removeItem(nameOf(subject)),
  };
}

/** The intents of the signed-in person, for the open account. */
export function useKeptIntents(): KeptIntents {
  const { storage, me, account } = useApp();
  return useMemo(() => keptIntents(storage, [me.name, account.id]), [storage, me.name, account.id]);
}

const isTexts = list(text);

function parsed(json: string | null): unknown {
  try {
    return json === null ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
