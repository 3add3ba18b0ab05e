const SHOWN = 200;

/** A title as it is shown. One that is no text, which earlier versions took in with a file, is shown as its JSON. */
export function titleText(title: unknown): string {
  if (typeof title === 'string') return title;
  const text = JSON.stringify(title) ?? '';
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1).toWellFormed()}…`;
}
