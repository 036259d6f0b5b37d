import * as right from '../../../../relay/gateway/time-zone.ts';

export * from '../../../../relay/gateway/time-zone.ts';

/** Wrong: an ambiguous local time is read as the earlier one. */
export const latestInstant: typeof right.latestInstant = (date, timeZone) => {
  const { year, month, day, hour, minute, second } = date;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const [first = 0, second_ = 0] = [asUtc - 86_400_000, asUtc + 86_400_000].map(
    (near) => asUtc + right.offsetMinutes(new Date(near), timeZone) * 60_000,
  );
  return Math.min(first, second_);
};
