import type { ComponentType } from 'preact';
import { useApp } from '../app/app.tsx';
import { Waiting } from './state.tsx';
import { useAnswer } from './use-answer.ts';

export type Load<Props> = () => Promise<ComponentType<Props>>;

/** Shows a component once it is loaded: what few people open is not part of the page. */
export function Later<Props extends object>({ load, with: props }: { load: Load<Props>; with: Props }) {
  const reading = useAnswer('screen', load);
  const { words } = useApp();
  const { answer: Loaded, error } = reading;
  if (Loaded) return <Loaded {...props} />;
  if (error === undefined) return <Waiting reading={reading} />;
  // A browser keeps a script that did not load as failed, and another version of the relay has others.
  return (
    <div class="empty">
      <h1>{words.not_loaded}</h1>
      <button type="button" onClick={() => window.location.reload()}>
        {words.reload}
      </button>
    </div>
  );
}
