import type { z } from 'zod';
import type { Event } from '../../events/event.ts';
import type { SearchText } from '../../search/kinds.ts';
import type * as events from '../events.ts';
import type { Exchange } from '../state.ts';
import { AUDITOR, TEXT_TERMS } from '../terms/terms.ts';

/** What an exchange's events bring to be found. Where no place is said, the state knows it. */
export function exchangeSearchTexts(event: Event): readonly SearchText[] {
  switch (event.type) {
    case 'mind.spoke': {
      const { thoughts } = event.content as z.infer<typeof events.MindSpoke.schema>;
      return thoughts.map((text): SearchText => ({ kind: 'thought', text }));
    }
    case 'call.late': {
      const { thoughts, round } = event.content as z.infer<typeof events.CallLate.schema>;
      return thoughts.map((text): SearchText => ({ kind: 'thought', text, at: `round.${round}` }));
    }
    case 'audit.written': {
      const { text, audit } = event.content as z.infer<typeof events.AuditWritten.schema>;
      return [{ kind: 'audit', text, from: AUDITOR, at: `audit.${audit}` }];
    }
    case 'observer.spoke': {
      const { text, audit } = event.content as z.infer<typeof events.ObserverSpoke.schema>;
      return [{ kind: 'observer', text, ...(audit !== undefined && { at: `audit.${audit}` }) }];
    }
    case 'injection.made':
      return [{ kind: 'observer', text: (event.content as z.infer<typeof events.InjectionMade.schema>).text }];
    case 'terms.set':
      return termsTexts(event.content as z.infer<typeof events.TermsSet.schema>);
    case 'audit.skipped':
    case 'restart.answered':
    case 'exchange.halted':
      return [{ kind: 'note', text: (event.content as { reason: string }).reason }];
    case 'thought.vetoed': {
      const { thought, reason } = event.content as z.infer<typeof events.vetoed>;
      return [{ kind: 'note', text: reason, at: `thought.${thought}` }];
    }
    default:
      return [];
  }
}

const MAX_TITLE = 200;

function termsTexts({ version, set, reason }: z.infer<typeof events.TermsSet.schema>): readonly SearchText[] {
  const at = `terms.${version}`;
  const texts = TEXT_TERMS.flatMap((name): SearchText[] =>
    set[name] === undefined ? [] : [{ kind: 'terms', text: set[name], at }],
  );
  // One that may be the title is found by that.
  if (set.question !== undefined && (version > 1 || set.question.length > MAX_TITLE)) {
    texts.unshift({ kind: 'terms', text: set.question, at });
  }
  return reason === undefined ? texts : [...texts, { kind: 'note', text: reason, at }];
}

/** A thought by its number; what was said between rounds, by the round before it. */
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
