type Props = {
  merchant: string;
  logo?: string | undefined;
  /** The way back to the shop; while it is not open it keeps its place. */
  back?: { href: string; label: string; isOpen: boolean } | undefined;
};

/** The shop's logo, or its name. With `back` it is the way back to the shop, too. */
export function Brand({ merchant, logo, back }: Props) {
  const mark = logo ? <img src={logo} alt={merchant} /> : <bdi>{merchant}</bdi>;
  if (!back) return <header class="brand">{mark}</header>;
  return (
    <header class="brand">
      <a href={back.href} aria-label={back.label} title={back.label} class={back.isOpen ? '' : 'closed'}>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M16 10H4m5-5-5 5 5 5" />
        </svg>
        {mark}
      </a>
    </header>
  );
}
