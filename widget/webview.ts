/** Where an app's web view listens. */
type AppWindow = {
  ReactNativeWebView?: { postMessage(message: string): void };
  webkit?: { messageHandlers?: { turnpike?: { postMessage(message: string): void } } };
  TurnpikeAndroid?: { postMessage(message: string): void };
};

declare global {
  interface Window extends AppWindow {}
}

/**
 * Sends an event to the app around a web view, as JSON `{ channel, type, … }`: with `detail` for `change`, `result` and
 * `error` and, on the hosted page, with `height` for `ready` and `resize`. Without a web view it does nothing.
 */
export function postToApp(self: AppWindow, message: object): void {
  const app = self.ReactNativeWebView ?? self.webkit?.messageHandlers?.turnpike ?? self.TurnpikeAndroid;
  try {
    app?.postMessage(JSON.stringify(message));
  } catch {
    // An app's faulty handler must not stop a payment.
  }
}
