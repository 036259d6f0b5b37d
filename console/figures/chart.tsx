import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { type Drawing, draw } from './draw.ts';

type Props = Drawing & {
  /** What it shows, and what it shows of a period in words. */
  label: string;
  hint: string;
  textAt: (at: number) => string;
  /** Hears of the period that the cursor is at. */
  onCursor: (at: number | undefined) => void;
  /** Goes to what is behind a period. */
  onOpen: (at: number) => void;
};

/** A chart over the periods. Arrow keys move its cursor, Enter and a click open the period; a finger's first touch only points. */
export function Chart({ label, hint, textAt, onCursor, onOpen, ...drawing }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [at, setAt] = useState<number>();
  const pointed = useRef<number>(undefined);
  const scheme = useColourScheme();
  const last = (drawing.series[0]?.values.length ?? 1) - 1;
  const latest = useRef({ onCursor, drawing });
  latest.current = { onCursor, drawing };
  // Another drawing is made only where what it shows changed.
  const shown = JSON.stringify([drawing.series, drawing.least, label]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawing changes when what it shows does
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = draw(element, latest.current.drawing, (cursor) => {
      setAt(cursor);
      latest.current.onCursor(cursor);
    });
    plot.current = made;
    const watching = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width !== made.width || height !== made.height) made.setSize({ width, height });
    });
    watching.observe(element);
    return () => {
      watching.disconnect();
      made.destroy();
    };
  }, [shown, scheme]);
  const point = (next: number | undefined): void => {
    const left = next === undefined ? -10 : (plot.current?.valToPos(next, 'x') ?? -10);
    plot.current?.setCursor({ left, top: next === undefined ? -10 : 0 });
  };
  const move = (event: KeyboardEvent): void => {
    const next = nextAt(event.key, at ?? last, last);
    if (next === undefined) {
      if (event.key === 'Enter') onOpen(at ?? last);
      return;
    }
    event.preventDefault();
    point(next);
  };
  return (
    <div
      ref={box}
      class="chart"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-description={hint}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={textAt(at ?? last)}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) point(last);
      }}
      onBlur={() => point(undefined)}
      onKeyDown={move}
      onClick={(event) => {
        // A touch moves the cursor and clicks at once.
        const touched = plot.current?.cursor.idx ?? undefined;
        if (touched === undefined) return;
        const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
        if (!isTouch || pointed.current === touched) onOpen(touched);
        pointed.current = touched;
      }}
    />
  );
}

function nextAt(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, at - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, at + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** Changes when the page goes light or dark: a canvas keeps the colours that it was drawn in. */
function useColourScheme(): boolean {
  const [query] = useState(() => window.matchMedia('(prefers-color-scheme: dark)'));
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const read = (): void => setDark(query.matches);
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, [query]);
  return isDark;
}
