import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Words } from '../locales/words.ts';

/** The recovery codes. They are shown only once. */
export function RecoveryCodes({
  words,
  codes,
  onKept,
}: {
  words: Words;
  codes: readonly string[];
  onKept: () => void;
}) {
  const { own } = words;
  const [isCopied, setCopied] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  // The focused element was removed.
  useLayoutEffect(() => title.current?.focus(), []);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(codes.join('\n'));
    setCopied(true);
  };
  return (
    <div class="fields">
      <h2 ref={title} tabIndex={-1}>
        {own.recovery_codes}
      </h2>
      <p>{own.recovery_why}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code} class="code">
            {code}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <span role="status">{isCopied && own.copied}</span>
        {/* A page loaded over http has no clipboard. */}
        {navigator.clipboard && (
          <button type="button" onClick={() => void copy().catch(() => setCopied(false))}>
            {own.copy}
          </button>
        )}
        <button type="button" class="primary" onClick={onKept}>
          {own.kept}
        </button>
      </div>
    </div>
  );
}
