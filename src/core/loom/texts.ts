import type { z } from 'zod';
import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { SearchText } from '../search/kinds.ts';
import type { importedNodeSchema, LoomEvent } from './events.ts';

/** Searchable texts in a loom event: the text of every node, and notes on nodes. */
export function loomTexts(stored: Event): readonly SearchText[] {
  const event = readEvent<LoomEvent>(stored);
  switch (event.type) {
    case 'loom.committed': {
      const { edits, append } = event.content;
      return [...edits, ...(append ? [append] : [])].map(({ node, content }) => ({
        kind: 'node',
        text: content,
        at: node,
      }));
    }
    case 'generation.finished': {
      const { choices } = event.content;
      return choices.map(({ node, content }) => ({ kind: 'node', text: content, at: node }));
    }
    case 'loom.imported': {
      const { nodes, file } = event.content;
      // An author named in a file is a claim of that file: search shows the text as imported (L25).
      const isTrustedAuthor = file === undefined && event.meta.by === 'human';
      return nodes.flatMap((node) => importedTexts(node, isTrustedAuthor));
    }
    case 'loom.marked': {
      const { node, bookmark, tags = [], note } = event.content;
      return noteTexts(node, [bookmark, ...tags, note]);
    }
    default:
      return [];
  }
}

function importedTexts(node: z.infer<typeof importedNodeSchema>, isTrustedAuthor: boolean): SearchText[] {
  const { id, content, author, bookmark, tags = [], note } = node;
  const from = author === undefined || !isTrustedAuthor ? {} : { from: author };
  return [{ kind: 'node', text: content, at: id, ...from }, ...noteTexts(id, [bookmark, ...tags, note])];
}

function noteTexts(node: string, notes: readonly (string | null | undefined)[]): SearchText[] {
  const text = notes.filter(Boolean).join(' · ');
  return text === '' ? [] : [{ kind: 'note', text, at: node }];
}
