const status = document.querySelector('[role=status]');

/** Copies the text beside a button; the button and the live region then say so. */
async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = 'Copied';
  status.textContent = `${button.dataset.copy} copied`;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

// Browsers let only pages of https or localhost write to the clipboard.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', () => copy(button).catch(() => {}));
}
