import type { World } from './world.ts';

const USUAL_MS = 5000;
const MAX_MS = 120_000;

/** Lets time pass until the request is answered. Throws if that takes too long. */
export async function answered<Answer>({ clock }: World, asking: Promise<Answer>): Promise<Answer> {
  let isOver = false;
  const over = asking.then(() => {
    isOver = true;
  });
  const end = clock.now() + MAX_MS;
  await clock.advance(clock.now() + USUAL_MS);
  // Otherwise the relays' timers would become ever later.
  for (; !isOver && clock.now() < end; await clock.advance(clock.now() + 1000)) clock.stir();
  if (!isOver) throw new Error('a request in the end is not answered');
  await over;
  return asking;
}
