import { type Refusal, refuse } from '../../core/refusal.ts';

/** The start of a page of hits: among texts numbered below `under`, in ranked order, after the first `offset`. */
export interface SearchCursor {
  /** True for the first window, which also includes the titles. */
  readonly first: boolean;
  readonly under?: number;
  readonly offset: number;
}

const FORM = /^s1\.([fr])\.([0-9a-z]{1,10})\.([0-9a-z]{1,4})$/;

export function parseSearchCursor(cursor: string | undefined): SearchCursor | Refusal {
  if (cursor === undefined || cursor === '') return { first: true, offset: 0 };
  const [, part, under, offset] = FORM.exec(cursor) ?? [];
  if (part && under && offset) {
    return { first: part === 'f', under: Number.parseInt(under, 36), offset: Number.parseInt(offset, 36) };
  }
  return refuse('wrong_cursor', `"${cursor.slice(0, 40)}" is not a search cursor. Search without one to start over.`);
}

export function formatSearchCursor({ first, under = 0, offset }: SearchCursor): string {
  return `s1.${first ? 'f' : 'r'}.${under.toString(36)}.${offset.toString(36)}`;
}
