import { useState } from 'preact/hooks';
import { useApp } from '../app/app.ts';

/** Has the browser save what a filter finds as a CSV file. */
export function CsvButton({ list, filter }: { list: 'orders' | 'audit'; filter: URLSearchParams }) {
  const { api, words } = useApp();
  const [isAsking, setAsking] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    setAsking(true);
    setFailed(false);
    try {
      // A download has no way to ask for a password.
      await api.stillSignedIn();
      const link = document.createElement('a');
      link.href = api.csvPath(list, filter);
      link.download = '';
      link.click();
    } catch {
      setFailed(true);
    }
    setAsking(false);
  };
  return (
    <div class="csv">
      {hasFailed && (
        <span class="fault" role="alert">
          {words.not_loaded}{' '}
        </span>
      )}
      <button type="button" aria-disabled={isAsking} onClick={() => (isAsking ? undefined : void save())}>
        {words.orders.csv}
      </button>
    </div>
  );
}
