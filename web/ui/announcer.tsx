/** Announces a text to screen readers; it is not visible. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p className="unseen" aria-live="polite">
      {text}
    </p>
  );
}
