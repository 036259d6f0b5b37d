import { useState } from 'preact/hooks';
import { useApp } from '../app/app.ts';

/** Saves what a filter finds as a CSV file. */
export function CsvButton({ list, filter }: { list: 'orders' | 'audit'; filter: URLSearchParams }) {
  const { api, words } = useApp();
  const [isLoading, setLoading] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    setLoading(true);
    setFailed(false);
    try {
      const address = URL.createObjectURL(await api.csv(list, filter));
      const link = document.createElement('a');
      link.href = address;
      link.download = `${list}.csv`;
      link.click();
      URL.revokeObjectURL(address);
    } catch {
      setFailed(true);
    }
    setLoading(false);
  };
  return (
    <div class="csv">
      {hasFailed && (
        <span class="fault" role="alert">
          {words.not_loaded}{' '}
        </span>
      )}
      <button type="button" aria-disabled={isLoading} onClick={() => (isLoading ? undefined : void save())}>
        {isLoading ? words.loading : words.orders.csv}
      </button>
    </div>
  );
}
