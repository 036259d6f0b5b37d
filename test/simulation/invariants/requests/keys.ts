import { RETENTION_DAYS } from '../../world/config.ts';
import type { HttpAnswer } from '../../world/http/wire.ts';
import type { Life, Request } from '../../world/owner.ts';
import { isDecision, isKept, keyIn } from '../../world/people/repeats.ts';
import { isLongBack } from '../../world/relay-process.ts';
import type { Scene } from '../../world/scene.ts';

/** How long a key is kept at least: a clock may have been a day behind when it was noted. */
const DAY_MS = 86_400_000;
const KEPT_MS = 6 * DAY_MS;

/** What is known of a key: the answer that it keeps, whose requests it had, and whether anything was sent for one. */
type Key = {
  body: string | undefined;
  kept?: { answer: HttpAnswer; at: number; answeredAt: number };
  /** When a decision was written, which its answer is kept with. */
  decidedAt?: number;
  lives: Set<Life>;
  running: number;
  isSent: boolean;
};

/**
 * What a key answered it answers again, byte for byte, as long as it is kept, and no other body has an answer under it. Where
 * nothing was sent, the request can be made again under it soon after the store is back. A decision about a session or an operation that
 * is written before its request is answered is written with its answer.
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
    // What is committed after its request was answered that the store failed has no key any more.
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
    // By clocks that disagree two requests hold the key at once, and one of them loses it.
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
      // An account that the configuration lacks has no keys.
      if (!answer || answer.status === 401 || (isDisturbed && answer.status === 503)) return;
      // What it led to is deleted with what is old, and with it the scope that a key needs for it.
      if (answer.status === 404 && clock.now() - started > RETENTION_DAYS * DAY_MS) return;
      const wrong = mustAnswer(key, http.body, at, answer);
      if (wrong) world.breach('keys answer alike', `${request.name}: ${wrong}`);
      if (isDecided && answer.status >= 400 && http.body === key.body && !relays.clocks.wereWrong(at))
        world.breach('keys answer alike', `${request.name} was decided, and answers ${answer.status} ${answer.text}`);
      const isFirst = !answer.headers.has('idempotency-replayed') && http.body === key.body;
      if (isFirst && isKept(http, answer) && !isDisturbed) key.kept ??= { answer, at, answeredAt: clock.now() };
      // By clocks that disagree another request may hold the key by now.
      if (!isAlone || !isBack || hasDied || key.isSent || isDisturbed || relays.clocks.wereWrong(at)) return;
      if (answer.status === 409 && answer.text.includes('"in_progress"'))
        world.breach('what was not sent can be sent', `${request.name} is in progress, and nothing runs`);
    };
  });
}
