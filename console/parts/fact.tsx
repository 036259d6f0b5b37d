import type { ComponentChildren } from 'preact';

/** One fact of a list of them, with its name. */
export function Fact(props: { name: string; class?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.class}>{props.children}</dd>
    </div>
  );
}
