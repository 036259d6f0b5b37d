import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

type Props = Drawing & {
  /** The series, and a text for each period. */
  label: string;
  hint: string;
  textAt: (at: number) => string;
  /** Called with the period at the cursor. */
  onCursor: (at: number | undefined) => void;
  /** Opens the orders of a period. */
  onOpen: (at: number) => void;
};

/** A chart over the periods. Arrow keys move the cursor; Enter or a click opens the period. The first touch only moves the cursor. */
export function Chart({ label, hint, textAt, onCursor, onOpen, ...drawing }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [at, setAt] = useState<number>();
  const pointed = useRef<number>(undefined);
  const scheme = useColourScheme();
  const last = (drawing.series[0]?.values.length ?? 1) - 1;
  const latest = useRef({ onCursor, drawing });
  latest.current = { onCursor, drawing };
  // The chart is redrawn only when its data changes.
  const shown = JSON.stringify([drawing.series, drawing.min, label]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is redrawn only when its data changes
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
        // A touch moves the cursor and clicks at the same time.
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

/** Changes when the page becomes light or dark: a canvas keeps its colours until it is redrawn. */
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

/** One line or row of bars. `at` has a value for each period, or null. */
type Series = { name: string; values: readonly (number | null)[] };

export type Drawing = {
  series: readonly Series[];
  isBars: boolean;
  /** The start of the axis, and its end if the greatest value does not set it. */
  min: number;
  max?: number;
  /** The labels of a value at its grid line, and of a period below the chart. */
  axis: (value: number) => string;
  period: (at: number) => string;
};

/** The CSS properties with the colours of the series. */
const colours = ['caretColor', 'outlineColor', 'textDecorationColor'] as const;

const PX_BETWEEN_LABELS = 14;
const LABEL_STEPS = [1, 2, 3, 4, 6, 7, 10, 14, 15, 30];

/**
 * Draws a chart into an element, in its size and colours, and reports the period at the cursor. Throws nothing. The caller
 * destroys the chart.
 */
function draw(box: HTMLElement, drawing: Drawing, onCursor: (at: number | undefined) => void): uPlot {
  const { series, isBars, min, max, axis, period } = drawing;
  const style = getComputedStyle(box);
  const count = series[0]?.values.length ?? 0;
  const drawn = series.map((one, at) => ({ ...one, colour: style[colours[at] ?? 'caretColor'] })).reverse();
  const font = `12px ${style.fontFamily}`;
  const quiet = { stroke: style.color, font, ticks: { show: false } };
  const options: uPlot.Options = {
    width: box.clientWidth,
    height: box.clientHeight,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: [-0.5, count - 0.5] },
      y: { range: (_plot, _least, greatest) => [min, max ?? (greatest > min ? greatest * 1.05 : min + 1)] },
    },
    axes: [
      {
        ...quiet,
        size: 24,
        grid: { show: false },
        splits: (plot) => {
          const widestName = widest(
            plot,
            font,
            Array.from({ length: count }, (_, at) => period(at)),
          );
          return labelled(count, plot.bbox.width / devicePixelRatio / (widestName + PX_BETWEEN_LABELS));
        },
        values: (_plot, at) => at.map(period),
      },
      {
        ...quiet,
        space: 32,
        ...(max === undefined ? {} : { incrs: [0.25, 0.5] }),
        grid: { stroke: style.borderTopColor, width: 1 },
        values: (_plot, values) => values.map(axis),
        size: (plot, values) => 12 + widest(plot, font, values ?? []),
      },
    ],
    series: [
      {},
      // The first line lies over the others.
      ...drawn.map(({ name, colour }): uPlot.Series => {
        if (isBars) return { label: name, fill: colour, width: 0, paths: bars, points: { show: false } };
        return {
          label: name,
          stroke: colour,
          width: 2,
          points: { show: false, filter: lonely, size: 6, fill: colour },
        };
      }),
    ],
    cursor: {
      y: false,
      // uPlot takes a click beside the middle of a period for the end of a drag, and stops it.
      drag: { x: false, y: false, click: () => undefined },
      // The cursor snaps to periods.
      move: (plot, left, top) => [left < 0 ? left : plot.valToPos(plot.posToIdx(left), 'x'), top],
      points: isBars ? { show: false } : { size: 8 },
    },
    hooks: { setCursor: [({ cursor: { idx } }) => onCursor(idx ?? undefined)] },
  };
  const periods = Array.from({ length: count }, (_, at) => at);
  return new uPlot(options, [periods, ...drawn.map(({ values }) => [...values])], box);
}

/** The periods whose label fits, counted back from the last one. */
function labelled(count: number, room: number): number[] {
  const step = LABEL_STEPS.find((each) => count / each <= room) ?? Math.max(1, count);
  return Array.from({ length: Math.ceil(count / step) }, (_, back) => count - 1 - back * step).reverse();
}

function widest({ ctx }: uPlot, font: string, texts: readonly string[]): number {
  ctx.save();
  ctx.font = font;
  const width = Math.max(0, ...texts.map((text) => ctx.measureText(text).width));
  ctx.restore();
  return width;
}

/** A line with a single period is a point. */
const lonely: uPlot.Series.Points.Filter = ({ data }, series) => {
  const values = data[series] ?? [];
  return [...values.keys()].filter((at) => values[at] != null && values[at - 1] == null && values[at + 1] == null);
};

const bars: uPlot.Series.PathBuilder = (plot, series, first, last) => {
  const fill = new Path2D();
  const at = (value: number, scale: string): number => plot.valToPos(value, scale, true);
  const width = Math.max(1, Math.round((at(1, 'x') - at(0, 'x')) * 0.7));
  const bottom = Math.round(at(0, 'y'));
  for (let period = first; period <= last; period++) {
    const value = plot.data[series]?.[period] ?? 0;
    if (value <= 0) continue;
    // A value above zero stays visible.
    const top = Math.min(Math.round(at(value, 'y')), bottom - 1);
    fill.rect(Math.round(at(period, 'x') - width / 2), top, width, bottom - top);
  }
  return { fill, flags: 0 };
};
