// The app passes the secret in the fragment, which browsers do not send to servers.
document.querySelector('turnpike-checkout').setAttribute('session', location.hash.slice(1));
