import { useMemo } from 'preact/hooks';
import { useApp } from '../app/app.ts';

/** Something that was sent and has no answer. `subject` is what its dialog is about, the same whenever it opens for the same. */
type KeptIntent<Body extends object = object> = {
  subject: readonly string[];
  key: string;
  body: Body;
  /** When it was sent first, in milliseconds. */
  at: number;
  /** The address of the page that it was sent from. */
  href: string;
};

/** What one person sent for one account in this tab, and has no answer to. It outlives the page; nobody else finds it. */
export type KeptIntents = {
  all(): KeptIntent[];
  find<Body extends object>(subject: readonly string[]): KeptIntent<Body> | undefined;
  keep(intent: KeptIntent): void;
  forget(subject: readonly string[]): void;
};

const PREFIX = 'turnpike.intent ';

/** Keeps intents in a storage; `owner` is the person and the account, for another person's keys do other requests. */
export function keptIntents(storage: Storage, owner: readonly [person: string, account: string]): KeptIntents {
  const nameOf = (subject: readonly string[]): string => PREFIX + JSON.stringify([...owner, ...subject]);
  const find = <Body extends object>(subject: readonly string[]): KeptIntent<Body> | undefined => {
    const kept = parsed<Omit<KeptIntent<Body>, 'subject'>>(storage.getItem(nameOf(subject)));
    return kept?.body && { subject, ...kept };
  };
  return {
    all: () =>
      Array.from({ length: storage.length }, (_, at) => storage.key(at)).flatMap((name) => {
        const texts = name?.startsWith(PREFIX) ? parsed<string[]>(name.slice(PREFIX.length)) : undefined;
        if (!texts || owner.some((part, at) => texts[at] !== part)) return [];
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

function parsed<Kept>(json: string | null): Kept | null {
  try {
    return json === null ? null : JSON.parse(json);
  } catch {
    return null;
  }
}
