import { WebView } from 'react-native-webview';

const settled = ['approved', 'failed', 'expired'];

/**
 * Shows `checkoutUrl`, which the app's own server made, and calls `onDone` with what the checkout told. Ask the server what is true.
 */
export function Checkout({ checkoutUrl, onDone }) {
  const hear = ({ nativeEvent }) => {
    const { channel, type, detail } = JSON.parse(nativeEvent.data);
    if (channel === 'turnpike' && type === 'result' && settled.includes(detail.status)) onDone(detail.status);
  };
  // The session's return_url, such as demoapp://paid, is the app's own: back from an issuer's page.
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
