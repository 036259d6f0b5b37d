import './shop.css';

export const metadata = { title: 'Turnpike in a Next page', icons: 'data:,' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
