import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type DnsServer, startDns } from './harness/dns.ts';
import { ownMounts } from './harness/own-mounts.ts';
import type { Rehearsal } from './harness/rehearsal.ts';

const GONE_MS = 25_000;

let dns: DnsServer | undefined;

/**
 * The relay looks up the gateway's name at the DNS server of this rehearsal, because /etc/hosts and /etc/resolv.conf are replaced in
 * its mount namespace. The DNS server stops answering, and the gateway closes its connections, so that the relay needs a new lookup.
 */
export const dnsGone: Rehearsal = {
  breaks: `DNS does not answer for ${GONE_MS / 1000} s, and the gateway closes its connections`,
  stage: {
    store: 'postgres',
    relays: 1,
    async prepare() {
      dns = await startDns('localhost');
      return dns.close;
    },
    settings: (port) => ({ gateway: { base_url: `http://localhost:${port}`, timeout_ms: 10_000 } }),
    relay(folder) {
      const [hosts, resolv] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
      writeFileSync(hosts, '');
      writeFileSync(resolv, `nameserver ${dns?.address}\n`);
      return { through: ownMounts(`mount --bind ${hosts} /etc/hosts\nmount --bind ${resolv} /etc/resolv.conf`) };
    },
  },
  async run({ gateway }) {
    if (!dns) throw new Error('there is no DNS server');
    dns.silence(true);
    await gateway.away();
    await gateway.back();
    await setTimeout(GONE_MS);
    dns.silence(false);
    return { notes: [`questions that DNS did not answer: ${dns.unanswered()}`] };
  },
};
