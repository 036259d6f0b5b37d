import Link from 'next/link';

/** Without `prefetch={false}`, Next could open a checkout for everyone who sees the link. */
export default function Shop() {
  return (
    <main>
      <h1>Tea, by the tin</h1>
      <Link href="/pay" prefetch={false}>
        Buy a tin
      </Link>
    </main>
  );
}
