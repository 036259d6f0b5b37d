// A real web view has put its listener into the page by now. Here the page around this one plays the app.
if (window.parent !== window) window.ReactNativeWebView = window.parent.app;
