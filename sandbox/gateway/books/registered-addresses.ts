import { BlockList, isIP } from 'node:net';

/** An entry that is no IP address and no range such as `10.0.0.0/8`. */
export class AddressUnreadable extends Error {
  readonly code = 'address_unreadable';
  override readonly name = 'AddressUnreadable';

  constructor() {
    super('each entry must be an IP address or a range such as 10.0.0.0/8');
  }
}

const loopback = ['127.0.0.0/8', '::1'];

/** The IP addresses that merchants registered. The gateway answers queries only from these (§4.1, §5.3). */
export class RegisteredAddresses {
  #entries: readonly string[] = [];
  #list = new BlockList();

  /** Adds addresses and ranges. Throws AddressUnreadable. */
  constructor(entries: readonly string[] = loopback) {
    this.replace(entries);
  }

  list(): readonly string[] {
    return this.#entries;
  }

  /** Replaces the addresses and ranges. Throws AddressUnreadable, and then changes nothing. */
  replace(entries: readonly string[]): void {
    const list = new BlockList();
    for (const entry of entries) add(list, entry);
    this.#list = list;
    this.#entries = [...entries];
  }

  /** True for a registered address, also for an IPv4 address in its IPv6 form. */
  includes(address: string): boolean {
    const family = familyOf(address);
    return family !== undefined && this.#list.check(address, family);
  }
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = familyOf(address);
  if (!family || rest.length > 0) throw new AddressUnreadable();
  if (bits === undefined) {
    list.addAddress(address, family);
    return;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 'ipv4' ? 32 : 128)) throw new AddressUnreadable();
  list.addSubnet(address, Number(bits), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  switch (isIP(address)) {
    case 4:
      return 'ipv4';
    case 6:
      return 'ipv6';
    default:
      return undefined;
  }
}
