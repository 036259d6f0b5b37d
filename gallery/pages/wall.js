// Each frame is as high as its content.
for (const frame of document.querySelectorAll('iframe')) {
  frame.addEventListener('load', () => {
    const root = frame.contentDocument?.getElementById('turnpike');
    if (!root) return;
    new ResizeObserver(() => {
      frame.style.height = `${Math.ceil(root.getBoundingClientRect().height)}px`;
    }).observe(root);
  });
}
