import type { Device } from '../../../shared/checkout/pay.ts';
import type { DeviceReader } from '../../device/device-reader.ts';

/** With the piece that may just be running when it is over, 800 ms. */
const LIMIT_MS = 690;

/**
 * Begins to read the device once the page has been painted and is idle, if `load` gives a reader. Returns what tells all that is
 * known of it: within 800 ms, and without ever failing.
 */
export function readDevice(
  self: Window,
  accept: string | undefined,
  load: () => Promise<DeviceReader | undefined>,
): () => Promise<Device> {
  let reader: Promise<DeviceReader | undefined> | undefined;
  const start = () => {
    reader ??= load();
    void reader.then((loaded) => loaded?.start());
    return reader;
  };
  const idle = self.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
  self.requestAnimationFrame(() => idle(() => void start()));
  return async () => {
    const end = performance.now() + LIMIT_MS;
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), LIMIT_MS));
    const ready = await Promise.race([start(), late]);
    return { ...(accept && { accept }), ...(await ready?.read(end - performance.now())) };
  };
}
