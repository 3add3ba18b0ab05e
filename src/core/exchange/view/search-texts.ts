import type { ContentOf } from '../../events/define.ts';
import type { Event } from '../../events/event.ts';
import { readEvent } from '../../events/read.ts';
import type { SearchText } from '../../search/kinds.ts';
import type { ExchangeEvent, TermsSet } from '../events.ts';
import type { Exchange } from '../state.ts';
import { AUDITOR, TEXT_TERMS } from '../terms/terms-text.ts';

/** The searchable texts of an exchange event. A text without a place gets it from the state (`exchangeTextPlace`). */
export function exchangeSearchTexts(stored: Event): readonly SearchText[] {
  const event = readEvent<ExchangeEvent>(stored);
  switch (event.type) {
    case 'mind.spoke': {
      const { thoughts } = event.content;
      return thoughts.map((text): SearchText => ({ kind: 'thought', text }));
    }
    case 'call.late': {
      const { thoughts, round } = event.content;
      return thoughts.map((text): SearchText => ({ kind: 'thought', text, at: `round.${round}` }));
    }
    case 'audit.written': {
      const { text, audit } = event.content;
      return [{ kind: 'audit', text, from: AUDITOR, at: `audit.${audit}` }];
    }
    case 'observer.spoke': {
      const { text, audit } = event.content;
      return [{ kind: 'observer', text, ...(audit !== undefined && { at: `audit.${audit}` }) }];
    }
    case 'injection.made':
      return [{ kind: 'observer', text: event.content.text }];
    case 'terms.set':
      return termsTexts(event.content);
    case 'audit.skipped':
    case 'restart.answered':
    case 'exchange.halted':
      return [{ kind: 'note', text: event.content.reason }];
    case 'thought.vetoed': {
      const { thought, reason } = event.content;
      return [{ kind: 'note', text: reason, at: `thought.${thought}` }];
    }
    default:
      return [];
  }
}

const MAX_TITLE = 200;

function termsTexts({ version, set, reason }: ContentOf<typeof TermsSet>): readonly SearchText[] {
  const at = `terms.${version}`;
  const texts = TEXT_TERMS.flatMap((name): SearchText[] =>
    set[name] === undefined ? [] : [{ kind: 'terms', text: set[name], at }],
  );
  // A question that may also be the title is already found as the title.
  if (set.question !== undefined && (version > 1 || set.question.length > MAX_TITLE)) {
    texts.unshift({ kind: 'terms', text: set.question, at });
  }
  return reason === undefined ? texts : [...texts, { kind: 'note', text: reason, at }];
}

/** A thought is located by its number; an entry between rounds, by the round before it. */
export function exchangeTextPlace(state: Exchange, event: Event, partIndex: number): string | undefined {
  if (event.type === 'mind.spoke') {
    const call = findLast(state.calls, ({ event: id }) => id === event.id);
    return call && `thought.${call.thoughtsAfter + partIndex + 1}`;
  }
  const entry = findLast(state.entries, ({ event: id }) => id === event.id);
  return entry && entry.round > 0 ? `round.${entry.round}` : undefined;
}

function findLast<T>(list: Pick<readonly T[], 'length' | 'at'>, predicate: (item: T) => boolean): T | undefined {
  for (let i = list.length - 1; i >= 0; i--) if (predicate(list.at(i) as T)) return list.at(i);
  return undefined;
}
