import { assembleLoom } from '../assemble.ts';
import type { NodeDraft } from '../node-drafts.ts';
import { createImportReporter } from '../report.ts';
import type { ImportedLoom } from '../tree.ts';

/** Reads plain text, unchanged, as one node by a person, or as several in a row if it is long. */
export function readText(content: string, name: string): readonly ImportedLoom[] {
  const text = content.replace(/^\ufeff/, '');
  const heading = /^[ \t]*# +(\S.*)$/m.exec(text.slice(0, 1000))?.[1];
  const title = heading?.trim() ?? name;
  const drafts: NodeDraft[] = text === '' ? [] : [{ id: 'text', content: text, kind: 'human' }];
  return [assembleLoom({ title, drafts, active: drafts.length - 1 }, createImportReporter('text'))];
}
