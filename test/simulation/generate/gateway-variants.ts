import { type ConfigChange, defaultPaymentPlan, type GatewayVariant, type PaymentPlan, type Step } from '../steps.ts';
import { RETENTION_DAYS } from '../world/config.ts';
import { type Random, randomOf } from '../world/random.ts';
import { DAY, HOUR, MINUTE, SECOND } from './message-plans.ts';

/** The ways of the gateway in some histories. They are drawn by themselves, so that the steps stay as they are. */
export function variantOf(seed: number): GatewayVariant {
  return {
    ...numbersOf(seed),
    ...emptyListsOf(seed),
    ...zoneOf(seed),
    ...codesOf(seed),
    ...wordingOf(seed),
    ...endpointsOf(seed),
    ...paidDaysOf(seed),
  };
}

function endpointsOf(seed: number): Pick<GatewayVariant, 'endpoints'> {
  const draw = randomOf(seed, 'endpoints');
  if (draw() >= 1 / 4) return {};
  return { endpoints: draw() < 0.6 ? 'two' : 'none' };
}

/** Some operators do not have paid orders asked about by the day: what notifications make watched is asked about alone. */
function paidDaysOf(seed: number): Pick<GatewayVariant, 'paidDays'> {
  return randomOf(seed, 'paid days')() < 1 / 3 ? { paidDays: 'none' } : {};
}

function wordingOf(seed: number): Pick<GatewayVariant, 'wording'> {
  const draw = randomOf(seed, 'wording');
  if (draw() >= 1 / 5) return {};
  return { wording: (['json numbers', 'small currencies', 'not found'] as const)[draw.between(0, 2)] };
}

function emptyListsOf(seed: number): Pick<GatewayVariant, 'emptyLists'> {
  const draw = randomOf(seed, 'lists');
  if (draw() >= 1 / 8) return {};
  return { emptyLists: draw() < 0.5 ? 'not_counted' : 'empty' };
}

function numbersOf(seed: number): Pick<GatewayVariant, 'numbers'> {
  const draw = randomOf(seed, 'numbers');
  if (draw() >= 1 / 8) return {};
  const form = draw() < 0.5 ? 'small letters' : 'trailing blank';
  return { numbers: { form, isInAnswers: draw() < 0.5 } };
}

function zoneOf(seed: number): Pick<GatewayVariant, 'zone'> {
  const draw = randomOf(seed, 'zone');
  if (draw() >= 1 / 6) return {};
  const change = draw() < 0.5 ? 'spring' : 'autumn';
  const isLate = change === 'spring' && draw() < 0.7;
  return { zone: { change, minutesBefore: draw.between(0, 75), ...(isLate ? { isLate } : {}) } };
}

/** In some histories the gateway answers every query that names one certain order with an error, for some time. */
export function withServerErrors(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'server errors');
  const count = draw() < 1 / 8 ? draw.between(1, 3) : 0;
  return Array.from({ length: count }).reduce<Step[]>(
    (all) => {
      const ms = draw.between(10 * SECOND, draw() < 0.5 ? 5 * MINUTE : 2 * HOUR);
      const spoil: Step = { after: SECOND, do: 'spoil records', order: draw.between(0, 2), how: 'http_500', ms };
      return all.toSpliced(draw.between(1, all.length), 0, spoil);
    },
    [...steps],
  );
}

/**
 * In some histories queries bring records of other orders beside those of one that was just paid. They are drawn by themselves, so
 * that the rest stays as it is.
 */
export function withForeignRecords(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'foreign records');
  if (draw() >= 1 / 10) return [...steps];
  const isOurs = draw() < 0.5;
  const fate: PaymentPlan = {
    ...{ ...defaultPaymentPlan, says: isOurs ? 'approved' : 'declined', answer: isOurs ? 'lost' : 'whole' },
    book: isOurs
      ? [{ after: 0, status: 'approved' }]
      : [
          { after: 0, status: 'declined' },
          { after: 20 * SECOND, status: 'approved' },
        ],
    ...(isOurs ? { hidden: draw.between(0, MINUTE) } : { notices: [{ after: 200, times: 1 }] }),
  };
  const sequence: Step[] = [
    { after: SECOND, do: 'buy', order: 0, amount: 0, method: 'card', presses: 1, gap: 0, fate },
    { after: 100, do: 'spoil records', order: 0, how: 'foreign', ms: draw.between(5 * MINUTE, 3 * HOUR) },
  ];
  return steps.toSpliced(draw.between(1, steps.length), 0, ...sequence);
}

function codesOf(seed: number): Pick<GatewayVariant, 'lateCodes'> {
  return changeOf(seed) === 'codes' ? { lateCodes: true } : {};
}

/** What an operator changes in some histories. */
function changeOf(seed: number): 'codes' | 'secret' | 'account' | undefined {
  const draw = randomOf(seed, 'changes');
  return draw() < 1 / 6 ? (['codes', 'secret', 'account'] as const)[draw.between(0, 2)] : undefined;
}

const change = (draw: Random, what: ConfigChange): Step => ({
  ...{ do: 'change config', what },
  ...{ after: draw.between(SECOND, MINUTE), downMs: draw.between(SECOND, 20 * SECOND) },
});

/** In some histories the operator changes the configuration while payments are under way. */
export function withConfigChanges(seed: number, steps: readonly Step[]): Step[] {
  const changes = changeOf(seed);
  const draw = randomOf(seed, 'times of changes');
  const at = draw.between(1, steps.length);
  switch (changes) {
    case undefined:
      return [...steps];
    case 'account': {
      const to = draw.between(at, Math.min(steps.length, at + 12));
      return steps.toSpliced(to, 0, change(draw, 'account comes')).toSpliced(at, 0, change(draw, 'account goes'));
    }
    default:
      return steps.toSpliced(at, 0, change(draw, changes));
  }
}

/** So many histories have a time in which the operator pauses the relays. */
const PAUSED_ONE_IN = 6;

/** In some histories the operator pauses all changes at the gateway for some steps. */
export function withPauses(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'pauses');
  if (draw() >= 1 / PAUSED_ONE_IN) return [...steps];
  const at = draw.between(1, steps.length);
  const to = Math.min(steps.length, at + draw.between(5, 20));
  return steps.toSpliced(to, 0, change(draw, 'resume')).toSpliced(at, 0, change(draw, 'pause'));
}

/** How far a clock is wrong at most: by less than dates may differ, or by more. */
const WRONG_MS = [5 * MINUTE, 14 * MINUTE, HOUR];

/**
 * In some histories the clock of one relay is set ahead or back, also while the relay is down, and is right again some steps later or
 * in the end.
 */
export function withClockSteps(seed: number, relays: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'clocks');
  const count = draw() < 1 / 6 ? draw.between(1, 2) : 0;
  const relay = draw.between(0, relays - 1);
  return Array.from({ length: count }).reduce<Step[]>(
    (all) => {
      const most = WRONG_MS[draw.between(0, WRONG_MS.length - 1)] ?? HOUR;
      const ms = draw.between(2 * SECOND, most) * (draw() < 0.6 ? 1 : -1);
      const down: Step = { after: SECOND, do: 'kill relay', relay, calls: 0, effect: false, downMs: 30 * SECOND };
      const set: Step = { after: 20 * SECOND, do: 'step clock', relay, ms };
      const right: Step = { ...set, after: draw.between(0, draw() < 0.5 ? MINUTE : HOUR), ms: -ms };
      const from = draw.between(1, all.length);
      const to = draw.between(from, Math.min(all.length, from + 12));
      const isDown = (): Step[] => (draw() < 0.3 ? [down] : []);
      return all.toSpliced(to, 0, ...isDown(), right).toSpliced(from, 0, ...isDown(), set);
    },
    [...steps],
  );
}

/** How many days a clock is ahead that is wrong by days: keys are kept for seven, and orders asked about for thirty. */
const AHEAD_DAYS = [8, 31];

/**
 * In some histories the clock of one relay is set ahead by days, or back by one, and is right again some steps later. A relay that
 * starts meanwhile cannot know that: it is wrong only between two such steps.
 */
export function withClockStepsOfDays(seed: number, relays: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'clocks by days');
  if (draw() >= 1 / 6) return [...steps];
  const relay = draw.between(0, relays - 1);
  const ahead = AHEAD_DAYS[draw.between(0, AHEAD_DAYS.length - 1)] ?? 1;
  const ms = DAY * (draw() < 0.7 ? ahead : -1);
  const from = draw.between(1, steps.length);
  const starts = steps.findIndex((step, n) => n >= from && (startsRelays(step) || step.after > HOUR));
  const to = Math.min(starts < 0 ? steps.length : starts, from + draw.between(0, 8));
  const set: Step = { after: 20 * SECOND, do: 'step clock', relay, ms };
  const right: Step = { ...set, after: draw.between(0, draw() < 0.5 ? MINUTE : 2 * HOUR), ms: -ms };
  return steps.toSpliced(to, 0, right).toSpliced(from, 0, set);
}

function startsRelays(step: Step): boolean {
  return step.do === 'kill relay' || step.do === 'change config' || step.do === 'step clock';
}

/** In some histories a shop answers webhooks with 410 for some time, or until they are given up: then its people deal with them. */
export function withReceiversGone(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'receivers gone');
  if (draw() >= 1 / 8) return [...steps];
  const isForLong = draw() < 0.6;
  const ms = isForLong ? draw.between(26 * HOUR, 40 * HOUR) : draw.between(MINUTE, HOUR);
  const at = draw.between(1, steps.length);
  // Before what was given up is forgotten.
  const forgets = steps.findIndex(({ after }, n) => n >= at && after > RETENTION_DAYS * DAY);
  const to = draw.between(at, Math.min(forgets < 0 ? steps.length : forgets, at + 12));
  const gone: Step = { after: SECOND, do: 'break shop', how: 'http_410', ms };
  const what = draw() < 0.6 ? 'redeliver' : 'acknowledge';
  const dealt: Step[] = isForLong ? [{ after: ms, do: 'failed webhooks', what }] : [];
  return steps.toSpliced(to, 0, ...dealt).toSpliced(at, 0, gone);
}
