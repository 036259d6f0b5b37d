import type { Store } from '../../relay/store/store.ts';
import { median } from '../harness/micro.ts';
import { throughStore } from './store.ts';

const PAYMENTS = 4000;
const CONCURRENCY = 50;

/** As if five people looked at figures, each once a second. */
const PAUSE_MS = 200;

/** Payments a second while somebody asks again and again, and while nobody does: in turns, the median of each. */
export type Beside = { alone: number; beside: number; ratio: number };

/** Makes payments in a store of a million, with questions beside them and without. */
export async function paymentsBeside(store: Store, ask: () => Promise<void>, rounds: number): Promise<Beside> {
  const payer = throughStore(store);
  const paying = async (): Promise<number> => {
    const pay = await payer.prepare(PAYMENTS);
    const start = performance.now();
    let left = PAYMENTS;
    const one = async (): Promise<void> => {
      for (; left > 0; left--) await pay();
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
    return (PAYMENTS / (performance.now() - start)) * 1000;
  };
  const asking = async (): Promise<number> => {
    let isOver = false;
    const asked = (async () => {
      while (!isOver) {
        await ask();
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    })();
    const perSecond = await paying();
    isOver = true;
    await asked;
    return perSecond;
  };
  await paying();
  const found: { alone: number; beside: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2) found.push({ beside: await asking(), alone: await paying() });
    else found.push({ alone: await paying(), beside: await asking() });
  }
  return {
    alone: median(found.map(({ alone }) => alone)),
    beside: median(found.map(({ beside }) => beside)),
    ratio: median(found.map(({ alone, beside }) => beside / alone)),
  };
}
