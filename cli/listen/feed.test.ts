import { describe, expect, it } from 'vitest';
import type { EventAnswer, EventFilter, EventList } from '../../client/index.ts';
import { createFeed, eventsIn } from './feed.ts';

const start = Date.parse('2027-03-31T10:00:00Z');

/** An account's events by their place, and the feed of them. `at` is the second in which one is made. */
function account({ since }: { since?: Date } = {}) {
  const events: (EventAnswer & { place: number })[] = [];
  let clock = start;
  let requests = 0;
  let isDown = false;
  const list = async ({ before, limit = 20 }: EventFilter): Promise<EventList> => {
    requests += 1;
    if (isDown) throw new Error('down');
    const newestFirst = events.toSorted((a, b) => b.place - a.place);
    const from = before === undefined ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
    const page = newestFirst.slice(from, from + limit);
    const last = page.at(-1);
    return { events: page, ...(newestFirst.length > from + limit && last ? { next: last.id } : {}) };
  };
  const feed = createFeed(eventsIn(list), () => clock, since);
  return {
    events,
    add(place: number, second = place) {
      const created_at = new Date(start + second * 1000).toISOString();
      const delivery = { status: 'delivered' as const, tries: 1, delivered_at: created_at };
      events.push({
        id: `e${place}`,
        type: 'session.approved',
        subject: 's',
        created_at,
        delivery,
        deliveries: [],
        data: {},
        place,
      });
    },
    look: async () => (await feed.readNew()).map(({ id }) => id),
    pass(seconds: number) {
      clock += seconds * 1000;
    },
    break(down: boolean) {
      isDown = down;
    },
    /** The requests since it was asked last. */
    requests() {
      const made = requests;
      requests = 0;
      return made;
    },
  };
}

describe('the feed of events', () => {
  it('gives what comes after its beginning, oldest first, each once', async () => {
    const { add, look } = account();
    add(1);
    expect(await look()).toEqual([]);
    for (const place of [2, 3, 4]) add(place);
    expect(await look()).toEqual(['e2', 'e3', 'e4']);
    expect(await look()).toEqual([]);
  });

  it('begins with an empty list, too', async () => {
    const { add, look } = account();
    expect(await look()).toEqual([]);
    add(1);
    expect(await look()).toEqual(['e1']);
  });

  it('gives what happened since a moment, over many pages', async () => {
    const { add, look } = account({ since: new Date(start + 100_000) });
    for (let place = 1; place <= 450; place++) add(place);
    const found = await look();
    expect(found).toHaveLength(351);
    expect(found.slice(0, 2)).toEqual(['e100', 'e101']);
    add(451);
    expect(await look()).toEqual(['e451']);
  });

  it('finds more than a page of new ones', async () => {
    const { add, look } = account();
    add(1);
    await look();
    for (let place = 2; place <= 321; place++) add(place);
    expect(await look()).toHaveLength(320);
    expect(await look()).toEqual([]);
  });

  it('finds an event that became visible after later ones', async () => {
    const { add, look, pass } = account();
    for (let place = 1; place <= 40; place++) add(place);
    await look();
    for (let place = 42; place <= 200; place++) add(place);
    expect(await look()).toHaveLength(159);
    pass(10);
    add(41);
    expect(await look()).toEqual(['e41']);
    pass(60);
    expect(await look()).toEqual([]);
  });

  it('asks once where nothing is new', async () => {
    const { add, look, pass, requests } = account();
    for (let place = 1; place <= 500; place++) add(place);
    await look();
    expect(requests()).toBe(1);
    for (let place = 501; place <= 800; place++) add(place);
    await look();
    pass(20);
    await look();
    requests();
    await look();
    expect(requests()).toBe(1);
  });

  it('loses nothing when a look fails', async () => {
    const { add, look, break: breakRelay } = account();
    add(1);
    await look();
    add(2);
    breakRelay(true);
    await expect(look()).rejects.toThrow();
    breakRelay(false);
    add(3);
    expect(await look()).toEqual(['e2', 'e3']);
  });

  it('gives nothing again when old events are deleted', async () => {
    const { add, look, pass, events } = account();
    for (let place = 1; place <= 30; place++) add(place);
    await look();
    pass(20);
    await look();
    events.splice(20);
    expect(await look()).toEqual([]);
    add(31);
    expect(await look()).toEqual(['e31']);
  });
});
