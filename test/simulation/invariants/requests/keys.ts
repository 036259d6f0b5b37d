import { RETENTION_DAYS } from '../../world/config.ts';
import type { HttpAnswer } from '../../world/http/wire.ts';
import type { Life, Request } from '../../world/owner.ts';
import { isDecision, isKept, keyIn } from '../../world/people/repeats.ts';
import { isLongBack } from '../../world/relay-process.ts';
import type { Scene } from '../../world/scene.ts';

/** The minimum time for which a key is kept: a clock may have been a day behind when it was stored. */
const DAY_MS = 86_400_000;
const KEPT_MS = 6 * DAY_MS;

/** A key: its stored answer, the relay processes that received its requests, and whether anything was sent for one. */
type Key = {
  body: string | undefined;
  kept?: { answer: HttpAnswer; at: number; answeredAt: number };
  /** The time at which a decision was written. Its answer is written with it. */
  decidedAt?: number;
  lives: Set<Life>;
  running: number;
  isSent: boolean;
};

/**
 * A key returns its stored answer byte for byte while it is stored, and refuses another body. If nothing was sent, the
 * request can be repeated soon after the store is back. A decision that is written before its request is answered is
 * written together with its answer.
 */
export function watchKeys({ world, gateway, relays, onWritten, onFinished, started }: Scene): void {
  const { clock } = world;
  const keys = new Map<string, Key>();
  const keyOf = new WeakMap<Request, Key>();
  gateway.watch({
    sent({ name, owner: { request } }) {
      const key = request && keyOf.get(request);
      if (key && name !== 'query' && name !== 'refund_search') key.isSent = true;
    },
  });

  const decisions = new WeakSet<Key>();
  const noteDecided = (): void => {
    const request = clock.owner()?.request;
    const key = request && keyOf.get(request);
    // A decision that is committed after its request was answered with a failure of the store has no key any more.
    if (key && decisions.has(key) && key.running > 0) key.decidedAt ??= clock.now();
  };
  onWritten.push(noteDecided);
  onFinished.push(noteDecided);

  const mustAnswer = (
    { body, kept }: Key,
    asked: string | undefined,
    at: number,
    answer: HttpAnswer,
  ): string | undefined => {
    if (!kept || clock.now() - kept.at > KEPT_MS) return undefined;
    const { status, text } = answer;
    // If clocks disagree, two requests hold the key at once, and one of them loses it.
    const hasLostKey = at < kept.answeredAt && status === 409;
    if (hasLostKey && relays.clocks.wereWrong(at)) return undefined;
    if (asked !== body) return status === 422 ? undefined : `another body is answered ${status} ${text}`;
    const isSame = status === kept.answer.status && text === kept.answer.text;
    return isSame ? undefined : `it answers ${status} ${text} after ${kept.answer.status} ${kept.answer.text}`;
  };

  relays.watch((http, { life, request }) => {
    const name = keyIn(http);
    if (name === undefined) return undefined;
    const key = keys.get(name) ?? { body: http.body, lives: new Set(), running: 0, isSent: false };
    keys.set(name, key);
    keyOf.set(request, key);
    if (isDecision(http)) decisions.add(key);
    const isDecided = key.decidedAt !== undefined && clock.now() - key.decidedAt < KEPT_MS;
    const [at, disturbed] = [clock.now(), relays.disturbances()];
    const isAlone = key.running === 0;
    const isBack = isLongBack(relays.trouble, at);
    const hasDied = [...key.lives].some(({ dead }) => dead);
    key.lives.add(life);
    key.running += 1;
    return (answer) => {
      key.running -= 1;
      const isDisturbed = relays.disturbances() !== disturbed;
      // An account that is not configured has no keys.
      if (!answer || answer.status === 401 || (isDisturbed && answer.status === 503)) return;
      // Old sessions and operations are deleted, and with them the keys that belong to them.
      if (answer.status === 404 && clock.now() - started > RETENTION_DAYS * DAY_MS) return;
      const wrong = mustAnswer(key, http.body, at, answer);
      if (wrong) world.breach('keys answer alike', `${request.name}: ${wrong}`);
      if (isDecided && answer.status >= 400 && http.body === key.body && !relays.clocks.wereWrong(at))
        world.breach('keys answer alike', `${request.name} was decided, and answers ${answer.status} ${answer.text}`);
      const isFirst = !answer.headers.has('idempotency-replayed') && http.body === key.body;
      if (isFirst && isKept(http, answer) && !isDisturbed) key.kept ??= { answer, at, answeredAt: clock.now() };
      // If clocks disagree, another request may hold the key by now.
      if (!isAlone || !isBack || hasDied || key.isSent || isDisturbed || relays.clocks.wereWrong(at)) return;
      if (answer.status === 409 && answer.text.includes('"in_progress"'))
        world.breach('what was not sent can be sent', `${request.name} is in progress, and nothing runs`);
    };
  });
}
