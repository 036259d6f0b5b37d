import type { Words } from '../locales/words.ts';

/** Asks the person to reload a page of another version than the relay’s. Screen readers read out what appears in an element that was there. */
export function ReloadNotice({ words, isOutdated }: { words: Words; isOutdated: boolean }) {
  return (
    <div class="reload" role="status">
      {isOutdated && (
        <p class="notice open">
          {words.outdated}{' '}
          <button type="button" onClick={() => window.location.reload()}>
            {words.reload}
          </button>
        </p>
      )}
    </div>
  );
}
