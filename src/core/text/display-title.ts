const MAX_LENGTH = 200;

/** A title for display. Earlier versions imported titles that are not strings; those are shown as JSON. */
export function displayTitle(title: unknown): string {
  if (typeof title === 'string') return title;
  const text = JSON.stringify(title) ?? '';
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
