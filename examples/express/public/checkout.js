// A result is only for the page. The order counts as paid when the webhook arrives.
document.querySelector('turnpike-checkout').addEventListener('result', ({ detail }) => {
  if (detail.status === 'approved') location.assign(document.getElementById('thanks').href);
});
