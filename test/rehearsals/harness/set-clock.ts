/** Loaded before a relay, lets its clock be set: at SIGUSR2 it is as many milliseconds ahead as the file REHEARSED_CLOCK says. */
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
