import type { NewEvent } from './event.ts';
import type { NoticeEnd, ToldNotices } from './notification.ts';

/** Which notifications of one subject are told, and what became of how many: told, over the limit, or without an event. */
export type Ending = {
  telling: { sha256: string; event: NewEvent }[];
  counts: { told: number; limited: number; known: number };
};

/**
 * Tells as many verified notifications as the limit leaves room for, and as many others: what anybody may send takes no
 * room of what is signed.
 * @param ends those that still wait, of one subject
 * @param told what was told of the subject within the limit's time
 */
export function endingOf(ends: readonly NoticeEnd[], told: readonly ToldNotices[], limit: number): Ending {
  const hasRoom = roomFor(told, limit);
  const ended = ends.map((end) => ({ ...end, isTold: end.event !== undefined && hasRoom(end) }));
  const telling = ended.flatMap(({ sha256, event, isTold }) => (event && isTold ? [{ sha256, event }] : []));
  const known = ended.filter(({ event }) => event === undefined).length;
  return { telling, counts: { told: telling.length, limited: ends.length - known - telling.length, known } };
}

/** Says of one notification after the other whether there is room for it, and takes that room. */
export function roomFor(told: readonly ToldNotices[], limit: number): (one: { verified: boolean }) => boolean {
  const count = (isVerified: boolean): number => told.find(({ verified }) => verified === isVerified)?.count ?? 0;
  const left = new Map([true, false].map((verified) => [verified, limit - count(verified)]));
  return ({ verified }) => {
    const room = left.get(verified) ?? 0;
    left.set(verified, room - 1);
    return room > 0;
  };
}
