import { useApp } from '../app/app.ts';
import { Foreign } from './text.tsx';

/** What was received, line by line, behind a word that opens it. */
export function Evidence({ text, title, isOpen = false }: { text: string; title?: string; isOpen?: boolean }) {
  const { words } = useApp();
  return (
    <details open={isOpen}>
      <summary>{title ?? words.order.details}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too */}
      <pre tabIndex={0} dir="auto">
        {text.split(/\r?\n/).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names, and never move
          <span key={at} class="line">
            <Foreign text={line} />
          </span>
        ))}
      </pre>
    </details>
  );
}
