import { harmless } from './harmless.ts';

/** What went wrong, said at once; nothing where nothing did. */
export function Fault({ text, id }: { text: string | undefined; id?: string }) {
  if (text === undefined) return null;
  return (
    <p id={id} class="fault" role="alert">
      {harmless(text)}
    </p>
  );
}
