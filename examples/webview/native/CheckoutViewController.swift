import UIKit
import WebKit

/// Shows `checkout_url`, which the app's server created, and calls `onDone` with the status. Ask the server whether the order is paid.
final class CheckoutViewController: UIViewController, WKScriptMessageHandler, WKNavigationDelegate {
    private let checkoutUrl: URL
    private let onDone: (String) -> Void
    private var webView: WKWebView?

    init(checkoutUrl: URL, onDone: @escaping (String) -> Void) {
        self.checkoutUrl = checkoutUrl
        self.onDone = onDone
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        let configuration = WKWebViewConfiguration()
        configuration.userContentController.add(self, name: "turnpike")
        let webView = WKWebView(frame: .zero, configuration: configuration)
        webView.navigationDelegate = self
        webView.load(URLRequest(url: checkoutUrl))
        self.webView = webView
        view = webView
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // Otherwise the web view keeps its listener.
        webView?.configuration.userContentController.removeScriptMessageHandler(forName: "turnpike")
    }

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        guard message.frameInfo.isMainFrame, message.frameInfo.securityOrigin.host == checkoutUrl.host,
            let text = message.body as? String,
            let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            json["channel"] as? String == "turnpike", json["type"] as? String == "result",
            let detail = json["detail"] as? [String: Any], let status = detail["status"] as? String,
            ["approved", "failed", "expired"].contains(status)
        else { return }
        onDone(status)
    }

    // The shopper returns from an issuer's page to the session's return_url, such as demoapp://paid.
    func webView(
        _ webView: WKWebView, decidePolicyFor action: WKNavigationAction,
        decisionHandler: @escaping (WKNavigationActionPolicy) -> Void
    ) {
        guard let url = action.request.url, url.scheme == "demoapp" else { return decisionHandler(.allow) }
        decisionHandler(.cancel)
        let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        onDone(query?.first { $0.name == "status" }?.value ?? "unknown")
    }
}
