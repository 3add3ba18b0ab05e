const MAX_LENGTH = 200;

/** A title as it is shown. One that is no text, which earlier versions took in with a file, is shown as its JSON. */
export function displayTitle(title: unknown): string {
  if (typeof title === 'string') return title;
  const text = JSON.stringify(title) ?? '';
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
