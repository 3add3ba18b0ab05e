import type { z } from 'zod';
import type { Event } from '../events/event.ts';
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
      const { nodes, file } = event.content as z.infer<typeof events.imported>;
      // Whom a file names is its word, not this workspace's: it is found as what somebody brought in (L25).
      const isTold = file === undefined && event.meta.by === 'human';
      return nodes.flatMap((node) => importedTexts(node, isTold));
    }
    case 'loom.marked': {
      const { node, bookmark, tags = [], note } = event.content as z.infer<typeof events.marked>;
      return noted(node, [bookmark, ...tags, note]);
    }
    default:
      return [];
  }
}

function importedTexts(node: z.infer<typeof events.importedNode>, isTold: boolean): Text[] {
  const { id, content, author, bookmark, tags = [], note } = node;
  const from = author === undefined || !isTold ? {} : { from: author };
  return [{ kind: 'node', text: content, at: id, ...from }, ...noted(id, [bookmark, ...tags, note])];
}

function noted(node: string, notes: readonly (string | null | undefined)[]): Text[] {
  const text = notes.filter(Boolean).join(' · ');
  return text === '' ? [] : [{ kind: 'note', text, at: node }];
}
