import type { TextSource } from '../../mode.ts';
import { thoughtOf } from '../../pool/state.ts';
import type { Exchange } from '../state.ts';
import { termsText } from '../terms/terms-text.ts';

const NUMBERED = /^(thought|audit|terms)\.([1-9]\d{0,8})$/;

/** A thought, an audit, or a version of the terms; `terms` is their newest version. */
export function exchangeSource(state: Exchange, at = ''): TextSource | undefined {
  const [, what, number] = NUMBERED.exec(at === 'terms' ? `terms.${state.terms.length}` : at) ?? [];
  const index = Number(number) - 1;
  if (what === 'thought') {
    const thought = thoughtOf(state.pool, Number(number));
    const call = thought && state.calls.at(thought.iter - 1);
    return thought && { at, what, versions: [{ text: thought.text, event: call?.event ?? '' }] };
  }
  if (what === 'audit') {
    const audit = state.audits.at(index);
    return audit && { at, what, versions: [{ text: audit.content.text, event: audit.event }] };
  }
  const terms = what === 'terms' ? state.terms.at(index) : undefined;
  return (
    terms && {
      at: `terms.${terms.version}`,
      what: 'terms',
      versions: [{ text: termsText(terms.terms), event: terms.seq }],
    }
  );
}
