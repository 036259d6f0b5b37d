package com.example.shop

import android.annotation.SuppressLint
import android.content.Intent
import android.os.Bundle
import android.webkit.JavascriptInterface
import android.webkit.WebResourceRequest
import android.webkit.WebView
import android.webkit.WebViewClient
import androidx.activity.ComponentActivity
import org.json.JSONObject

/** Shows `checkout_url`, which the app's server created, and finishes with the status. Ask the server whether the order is paid. */
class CheckoutActivity : ComponentActivity() {
    @SuppressLint("SetJavaScriptEnabled")
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val webView = WebView(this)
        webView.settings.javaScriptEnabled = true
        webView.settings.domStorageEnabled = true
        webView.addJavascriptInterface(Listener(), "TurnpikeAndroid")
        webView.webViewClient = Client()
        setContentView(webView)
        webView.loadUrl(requireNotNull(intent.getStringExtra("checkout_url")))
    }

    private inner class Listener {
        // Called on another thread, by any page in the web view: not a proof of payment.
        @JavascriptInterface
        fun postMessage(text: String) {
            val message = JSONObject(text)
            if (message.optString("channel") != "turnpike" || message.optString("type") != "result") return
            val status = message.getJSONObject("detail").getString("status")
            if (status == "approved" || status == "failed" || status == "expired") runOnUiThread { done(status) }
        }
    }

    private inner class Client : WebViewClient() {
        // The shopper returns from an issuer's page to the session's return_url, such as demoapp://paid.
        override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean {
            if (request.url.scheme != "demoapp") return false
            done(request.url.getQueryParameter("status") ?: "unknown")
            return true
        }
    }

    private fun done(status: String) {
        setResult(RESULT_OK, Intent().putExtra("status", status))
        finish()
    }
}
