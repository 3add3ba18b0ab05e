import { assemble } from '../assemble.ts';
import type { Draft } from '../node-drafts.ts';
import { createReporter } from '../report.ts';
import type { Imported } from '../tree.ts';

/** A text as it is: one node of a person's, or several in a row where it is long. */
export function readText(content: string, name: string): readonly Imported[] {
  const text = content.replace(/^\ufeff/, '');
  const heading = /^[ \t]*# +(\S.*)$/m.exec(text.slice(0, 1000))?.[1];
  const title = heading?.trim() ?? name;
  const drafts: Draft[] = text === '' ? [] : [{ id: 'text', content: text, kind: 'human' }];
  return [assemble({ title, drafts, active: drafts.length - 1 }, createReporter('text'))];
}
