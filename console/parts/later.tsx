import type { ComponentType } from 'preact';
import { useApp } from '../app/app.tsx';
import { Waiting } from './state.tsx';
import { useAnswer } from './use-answer.ts';

export type Load<Props> = () => Promise<ComponentType<Props>>;

/** Shows a component once its script is loaded. Rarely used components are not part of the first load. */
export function Later<Props extends object>({ load, with: props }: { load: Load<Props>; with: Props }) {
  const reading = useAnswer('screen', load);
  const { words } = useApp();
  const { answer: Loaded, error } = reading;
  if (Loaded) return <Loaded {...props} />;
  if (error === undefined) return <Waiting reading={reading} />;
  // A browser remembers a script that failed to load, and another version of the relay has other scripts: only a reload helps.
  return (
    <div class="empty">
      <h1>{words.not_loaded}</h1>
      <button type="button" onClick={() => window.location.reload()}>
        {words.reload}
      </button>
    </div>
  );
}
