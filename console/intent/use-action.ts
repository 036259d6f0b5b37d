import { useRef, useState } from 'preact/hooks';
import { newKey } from '../api/api.ts';
import { Refused } from '../api/errors.ts';
import { useApp } from '../app/app.ts';

/**
 * Something that a button does, and that does no harm where it is done twice. One press runs at a time; where no answer comes
 * the next one is the same request again. `fault` says why the last one was not done.
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
