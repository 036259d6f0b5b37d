import { WebView } from 'react-native-webview';

const settled = ['approved', 'failed', 'expired'];

/**
 * Shows `checkoutUrl`, which the app's server created, and calls `onDone` with the status. Ask the server whether the order is paid.
 */
export function Checkout({ checkoutUrl, onDone }) {
  const hear = ({ nativeEvent }) => {
    const { channel, type, detail } = JSON.parse(nativeEvent.data);
    if (channel === 'turnpike' && type === 'result' && settled.includes(detail.status)) onDone(detail.status);
  };
  // The shopper returns from an issuer's page to the session's return_url, such as demoapp://paid.
  const follow = ({ url }) => {
    if (!url.startsWith('demoapp://')) return true;
    onDone(/[?&]status=(\w+)/.exec(url)?.[1] ?? 'unknown');
    return false;
  };
  return (
    <WebView
      source={{ uri: checkoutUrl }}
      originWhitelist={['https://*', 'demoapp://*']}
      onMessage={hear}
      onShouldStartLoadWithRequest={follow}
    />
  );
}
