import { sign } from '../../../../shared/gateway/signature.ts';
import type { PayoutNotice } from '../../plans.ts';
import type { Scene } from '../scene.ts';

/** How long the gateway waits before it repeats a notification that was not acknowledged. */
const AGAIN_MS = 5 * 60_000;

/** A payout's notification that a relay acknowledged, by the path of its notify_url. */
export type Acknowledged = PayoutNotice & { notifyUrl: string };

/** Sends the gateway's notifications of each payout. Returns those that were acknowledged until now. */
export function notifyOfPayouts({ world, gateway, relays, settings }: Scene): readonly Acknowledged[] {
  const { clock } = world;
  const acknowledged: Acknowledged[] = [];
  const taken = new Set<string>();
  const deliver = async (path: string, notice: PayoutNotice, write: () => string): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const http = { method: 'POST', path, headers, body: write(), from: '198.51.100.1' } as const;
    const told = await relays.request(0, { name: `payout is ${notice.status}` }, http);
    if (told.kind === 'answered') acknowledged.push({ ...notice, notifyUrl: path });
    else clock.at(clock.now() + AGAIN_MS, () => void deliver(path, notice, write));
  };
  gateway.watch({
    sent({ name, message, owner: { request } }) {
      const { way, notices = [] } = request?.intent?.fate ?? {};
      const url = String(message.notify_url);
      if (name !== 'payout' || way !== 'arrives' || taken.has(url)) return;
      taken.add(url);
      const start = clock.now();
      const isTaken = (): boolean => gateway.executions.some(({ asked }) => asked === request?.began);
      for (const notice of notices) {
        const { request_id, payment_amount, payment_currency } = message;
        const timed = notice.untimed ? {} : { last_updated_at: new Date(start + notice.at).toISOString() };
        const plain = { request_id, payment_amount, payment_currency, status: notice.status, ...timed };
        const write = (): string => {
          const merchant = settings.accounts().find(({ merchant_id }) => merchant_id === message.merchant_id);
          const secret = merchant?.signingSecret ?? '';
          return JSON.stringify({
            ...plain,
            encryption_data: sign(plain, notice.unsigned ? `${secret}, not` : secret),
          });
        };
        for (let n = 0; n < notice.times; n++) {
          const at = start + notice.after + n * 90_000;
          clock.at(at, () => void (isTaken() && deliver(new URL(url).pathname, notice, write)));
        }
      }
    },
  });
  return acknowledged;
}
