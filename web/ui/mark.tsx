/** The mark of Heddle: warp threads, and the eye of one heddle. */
export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="1.8"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M5 2.5v15M10 2.5v4.2M10 13.3v4.2M15 2.5v15" />
      <circle cx="10" cy="10" r="3" />
    </svg>
  );
}
