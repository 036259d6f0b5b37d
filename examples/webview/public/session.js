// The app hands the secret over in the fragment, which no server sees.
document.querySelector('turnpike-checkout').setAttribute('session', location.hash.slice(1));
