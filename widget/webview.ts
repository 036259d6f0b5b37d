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
 * Tells the app around a web view what happens, as JSON `{ channel, type, … }`: `detail` beside `change`, `result` and `error`,
 * and, if the form is a page of its own, `height` beside `ready` and `resize`. Outside of a web view nothing happens.
 */
export function postToApp(self: AppWindow, message: object): void {
  const app = self.ReactNativeWebView ?? self.webkit?.messageHandlers?.turnpike ?? self.TurnpikeAndroid;
  try {
    app?.postMessage(JSON.stringify(message));
  } catch {
    // An app's broken handler must not stop a payment.
  }
}
