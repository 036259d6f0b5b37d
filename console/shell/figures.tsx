import { Waiting } from '../parts/state.tsx';
import { useAnswer } from '../parts/use-answer.ts';

/** The figures, whose charts are loaded when somebody first looks at them. */
export function Figures({ filter }: { filter: URLSearchParams }) {
  const reading = useAnswer(
    'figures',
    () => import('../figures/figures-screen.tsx'),
    () => false,
  );
  if (!reading.answer) return <Waiting reading={reading} />;
  const { FiguresScreen } = reading.answer;
  return <FiguresScreen filter={filter} />;
}
