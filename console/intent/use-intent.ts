import { useEffect, useRef, useState } from 'preact/hooks';
import { newKey } from '../api/api.ts';
import { afterTry, type Ending, type Intent } from './action.ts';

/**
 * What a dialog sends: its key is made when the dialog opens, and every retry uses it. `send` does the request with the key
 * and tells how it ended; only one runs at a time.
 */
export function useIntent(): { intent: Intent; submit: (send: (key: string) => Promise<Ending>) => Promise<void> } {
  const [intent, setIntent] = useState<Intent>(() => ({ key: newKey(), phase: { step: 'writing' } }));
  const isSending = useRef(false);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const submit = async (send: (key: string) => Promise<Ending>): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    setIntent({ ...intent, phase: { step: 'sending' } });
    const ending = await send(intent.key).catch((error: unknown): Ending => ({ kind: 'error', error }));
    isSending.current = false;
    if (isThere.current) setIntent(afterTry(intent, ending, newKey));
  };
  return { intent, submit };
}
