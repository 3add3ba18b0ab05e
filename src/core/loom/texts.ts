import type { z } from 'zod';
import type { Event } from '../event.ts';
import type { Text } from '../search/kinds.ts';
import type * as events from './events.ts';

/** What a loom's events bring to be found: the text of every node, and what was noted at one. */
export function loomTexts(event: Event): readonly Text[] {
  switch (event.type) {
    case 'loom.committed': {
      const { edits, append } = event.content as z.infer<typeof events.committed>;
      return [...edits, ...(append ? [append] : [])].map(({ node, content }) => ({
        kind: 'node',
        text: content,
        at: node,
      }));
    }
    case 'generation.finished': {
      const { choices } = event.content as z.infer<typeof events.finished>;
      return choices.map(({ node, content }) => ({ kind: 'node', text: content, at: node }));
    }
    case 'loom.imported': {
      const { nodes } = event.content as z.infer<typeof events.imported>;
      return nodes.flatMap(importedTexts);
    }
    case 'loom.marked': {
      const { node, bookmark, tags = [], note } = event.content as z.infer<typeof events.marked>;
      return noted(node, [bookmark, ...tags, note]);
    }
    default:
      return [];
  }
}

function importedTexts({
  id,
  content,
  author,
  bookmark,
  tags = [],
  note,
}: z.infer<typeof events.importedNode>): Text[] {
  const from = author === undefined ? {} : { from: author };
  return [{ kind: 'node', text: content, at: id, ...from }, ...noted(id, [bookmark, ...tags, note])];
}

function noted(node: string, notes: readonly (string | null | undefined)[]): Text[] {
  const text = notes.filter(Boolean).join(' · ');
  return text === '' ? [] : [{ kind: 'note', text, at: node }];
}
