/** How a shopper gets a form: in a frame of a shop's page, which a script inserts or the page contains, or on a page of its own. */
export type Embedding = 'by script' | 'in the page' | 'of its own';

/** A shop's page, with our form. */
export function shopPage(
  embedding: Exclude<Embedding, 'of its own'>,
  session: { script: string; secret: string; url: string },
  height: number,
): string {
  const inside = embedding === 'in the page' ? frame(session.url, height) : `<a href="${session.url}">Pay here</a>`;
  return page(`${session.script}`, `<turnpike-checkout session="${session.secret}">${inside}</turnpike-checkout>`);
}

/** The same page with the bare form. The page gives its script the frame's height. */
export function barePage(embedding: Exclude<Embedding, 'of its own'>, form: string, height: number): string {
  const origin = new URL(form).origin;
  return embedding === 'in the page'
    ? page('', frame(form, height))
    : page(
        `<script src="${origin}/embed.js" async></script>`,
        `<div id="pay" data-src="${form}" data-height="${height}"></div>`,
      );
}

/** The shortest script that inserts a frame into a page. */
export const bareScript = `const place = document.getElementById('pay');
const frame = document.createElement('iframe');
frame.src = place.dataset.src;
frame.title = 'Checkout';
frame.style.cssText = 'display:block;width:100%;border:0;height:' + place.dataset.height + 'px';
place.append(frame);
`;

/** A form written by hand: the same fields, its own styles, no script. */
export const bareForm = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payment</title>
<style>
*{box-sizing:border-box}
body{margin:0;font:16px/1.4 system-ui,sans-serif;color:#1c1e21}
form{display:grid;gap:14px;padding:2px}
h1{font-size:20px;margin:0}
label{display:grid;gap:4px;font-size:14px}
input{font:inherit;padding:11px 12px;border:1px solid #8a9099;border-radius:8px;width:100%}
input:focus{outline:2px solid #2463eb;outline-offset:1px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:14px}
button{font:inherit;font-weight:600;padding:13px;border:0;border-radius:8px;background:#2463eb;color:#fff}
</style>
</head>
<body>
<form method="post" action="/pay">
<h1>Benchmark: R$129.90</h1>
<label>Card number <input inputmode="numeric" autocomplete="cc-number" required></label>
<div class="two">
<label>Expiry date <input inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY" required></label>
<label>Security code <input inputmode="numeric" autocomplete="cc-csc" required></label>
</div>
<label>Name on card <input autocomplete="cc-name" required></label>
<button type="submit">Pay R$129.90</button>
</form>
</body>
</html>
`;

/** A shop's page: `head` is for its head, `content` follows the order. */
export function page(head: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>A shop</title>
<style>body{margin:16px;font:16px/1.5 system-ui,sans-serif}iframe{display:block;width:100%;border:0}</style>
${head}
</head>
<body>
<h1>Your order</h1>
<p>One pound of tea, R$129.90</p>
${content}
</body>
</html>
`;
}

function frame(src: string, height: number): string {
  return `<iframe src="${src}" title="Checkout" height="${height}"></iframe>`;
}
