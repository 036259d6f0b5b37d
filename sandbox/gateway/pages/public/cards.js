const status = document.querySelector('[role=status]');

/** Copies what a button stands beside, and says so, on the button and for screen readers. */
async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = 'Copied';
  status.textContent = `${button.dataset.copy} copied`;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

// Only a page on https or on this machine may write to the clipboard.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', () => copy(button).catch(() => {}));
}
