/** What a document of the page has seen of itself; times in its own milliseconds since `origin`, an epoch's. */
export type Seen = {
  origin: number;
  /** Nearly all of the pay button is inside of what the window shows, its frame's edges included. */
  payVisible?: number;
  /** The page has shown a frame that it kept unseen at first. */
  shown?: number;
  /** The card number's field has somebody who listens to it. */
  typable?: number;
  /** Sum of the layout shifts that no input explains. */
  shift: number;
  /** Input delays of the keys that took 16 ms or more until the next frame, by Event Timing. */
  keyDelays: number[];
  submittedAt?: number;
  paidAt?: number;
  fingerprinted?: boolean;
  /** The fingerprint has been read. */
  readAt?: number;
};

declare global {
  interface Window {
    seen?: Seen;
  }
}

/** Runs in every document before its own scripts. It may refer to nothing outside of itself. */
export function watch(): void {
  const seen: Seen = { origin: performance.timeOrigin, shift: 0, keyDelays: [] };
  window.seen = seen;

  const sight = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ intersectionRatio }) => intersectionRatio >= 0.98);
      if (!entry) return;
      sight.disconnect();
      seen.payVisible = entry.time;
    },
    { threshold: 0.98 },
  );
  const coming = new MutationObserver(() => {
    const button = document.querySelector('button[type=submit], .adyen-checkout__button--pay');
    if (!button) return;
    coming.disconnect();
    sight.observe(button);
  });
  coming.observe(document, { childList: true, subtree: true });

  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (this: Element, options) {
    const root = attach.call(this, options);
    const changes = new MutationObserver(() => {
      const frame = root.querySelector('iframe');
      if (!frame || getComputedStyle(frame).visibility !== 'visible') return;
      changes.disconnect();
      requestAnimationFrame((time) => (seen.shown ??= time));
    });
    changes.observe(root, { childList: true, subtree: true, attributeFilter: ['style'] });
    return root;
  };

  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...args: Parameters<typeof listen>) {
    const isCard = this instanceof HTMLInputElement && this.autocomplete === 'cc-number';
    if (isCard && args[0] === 'input') seen.typable ??= performance.now();
    return listen.apply(this, args);
  };

  const observe = (type: string, hear: (entry: PerformanceEntry) => void) => {
    const options = { type, buffered: true, durationThreshold: 16 };
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe(options);
  };
  observe('layout-shift', (entry) => {
    if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) seen.shift += Number(entry.value);
  });
  observe('event', (entry) => {
    if (entry instanceof PerformanceEventTiming && entry.name === 'keydown') {
      seen.keyDelays.push(entry.processingStart - entry.startTime);
    }
  });
  observe('mark', ({ name, startTime }) => {
    if (name === 'turnpike-device') seen.readAt = startTime;
  });

  listen.call(window, 'submit', () => (seen.submittedAt ??= performance.now()), true);
  const send = window.fetch;
  window.fetch = async (...args) => {
    if (!String(args[0]).endsWith('/checkout/api/pay')) return send.apply(window, args);
    seen.paidAt = performance.now();
    seen.fingerprinted = String(args[1]?.body).includes('"device_fingerprint"');
    return new Promise(() => {});
  };
}
