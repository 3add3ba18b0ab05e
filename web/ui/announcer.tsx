/** Says something to those who hear the page; nobody sees it. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p className="unseen" aria-live="polite">
      {text}
    </p>
  );
}
