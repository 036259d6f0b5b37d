import type { ComponentChildren, Ref } from 'preact';

/** `busy` for what takes seconds, `waiting` for what may take days, `neutral` for what is nobody's failure. */
export type Tone = 'busy' | 'waiting' | 'good' | 'neutral' | 'bad';

type Props = {
  tone: Tone;
  title: string;
  text: string;
  headingRef?: Ref<HTMLHeadingElement>;
  children?: ComponentChildren;
};

const SIGNS: Record<Tone, string> = {
  busy: 'M12 1.5A10.5 10.5 0 0 1 22.5 12',
  waiting: 'M12 6v6l3.5 2.5',
  good: 'm7 12.5 3.5 3.5 7-8',
  neutral: 'M12 11v6m0-9.5v.01',
  bad: 'M12 7v6m0 3.5v.01',
};

/** A page that tells one thing. */
export function Page({ tone, title, text, headingRef, children }: Props) {
  return (
    <section class={`outcome ${tone}`}>
      <svg viewBox="0 0 24 24" width="48" height="48" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        <path d={SIGNS[tone]} />
      </svg>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      {children}
    </section>
  );
}
