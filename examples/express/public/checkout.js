// What a result says is for the page alone: the order is paid when the webhook says so.
document.querySelector('turnpike-checkout').addEventListener('result', ({ detail }) => {
  if (detail.status === 'approved') location.assign(document.getElementById('thanks').href);
});
