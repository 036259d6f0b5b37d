/** Imported before a relay. At SIGUSR2 sets the relay's clock ahead by the milliseconds in the file REHEARSED_CLOCK. */
import { readFileSync } from 'node:fs';

const RealDate = Date;
let offset = 0;

process.on('SIGUSR2', () => {
  offset = Number(readFileSync(process.env.REHEARSED_CLOCK ?? '', 'utf8'));
});

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [RealDate.now() + offset] : values, newTarget),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + offset : Reflect.get(target, name, receiver),
});
