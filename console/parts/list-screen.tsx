import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Change } from '../../shared/api/console.ts';
import type { CsvList } from '../api/api.ts';
import { Link, useApp } from '../app/app.tsx';
import { type FilteredPage, fromFirstPage, isFirstPage, listQuery, withPage } from '../app/route.ts';
import { Failure, Waiting } from './state.tsx';
import { type Reading, useAnswer } from './use-answer.ts';

type ListPage = Exclude<FilteredPage, 'figures'>;

/** Reads the page of a list that a filter names. Only the first page is updated live. */
export function useList<T>(
  filter: URLSearchParams,
  read: (query: URLSearchParams) => Promise<T>,
  concerns: (change: Change) => boolean = () => true,
): Reading<T> {
  const { api, route } = useApp();
  const query = listQuery(filter);
  return useAnswer(
    `${api.livePath} ${route.page} ${query}`,
    () => read(query),
    (change) => isFirstPage(filter) && concerns(change),
  );
}

/** A list screen: heading, filters, entries or why there are none, and links to the other pages. */
export function ListScreen(props: {
  page: ListPage;
  filter: URLSearchParams;
  reading: Reading<{ previous?: string | undefined; next?: string | undefined }>;
  /** The number of entries on this page. */
  size: number | undefined;
  /** Content beside the heading. */
  aside?: ComponentChildren;
  filters: ComponentChildren;
  /** Whether an empty list shows a link that clears the filter. */
  canClear?: boolean;
  hint?: string;
  /** Replaces the default content of an empty page. */
  empty?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { words } = useApp();
  const { page, filter, reading, size, aside, filters, canClear = true, hint, empty, children } = props;
  const { answer } = reading;
  const first = fromFirstPage(filter);
  const isFiltered = [...first.keys()].some((name) => name !== 'sort');
  const { none, none_found } = words[page];
  return (
    <>
      <div class="heading">
        <h1>{words.pages[page]}</h1>
        {aside}
      </div>
      {filters}
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          {size === 0 ? (
            <div class="empty">
              {empty || <p>{isFiltered ? none_found : none}</p>}
              {!empty && isFiltered && canClear && (
                <Link to={{ page, filter: new URLSearchParams() }}>{words.orders.clear}</Link>
              )}
            </div>
          ) : (
            children
          )}
          <div class="pager">
            {!isFirstPage(filter) && <Link to={{ page, filter: first }}>{words.first_page}</Link>}
            {answer.previous !== undefined && (
              <Link to={{ page, filter: withPage(filter, 'after', answer.previous) }}>{words.previous_page}</Link>
            )}
            {answer.next !== undefined && !(size === 0 && empty) && (
              <Link to={{ page, filter: withPage(filter, 'before', answer.next) }}>{words.next_page}</Link>
            )}
            {size !== 0 && hint !== undefined && <p class="keys">{hint}</p>}
          </div>
        </>
      )}
    </>
  );
}

/** Downloads the records that a filter matches as a CSV file. */
export function CsvButton({ list, filter, text }: { list: CsvList; filter: URLSearchParams; text?: string }) {
  const { api, words } = useApp();
  const [isAsking, setAsking] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    setAsking(true);
    setFailed(false);
    try {
      // A download cannot ask for a password, so an expired sign-in is renewed first.
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
        {text ?? words.orders.csv}
      </button>
    </div>
  );
}
