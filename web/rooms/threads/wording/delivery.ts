import type { WireDelivery } from '../../../../src/protocol/threads.ts';
import type { Part, Sentence } from './sentences.ts';
import { type Closed, outcomeWords } from './wake.ts';

const NAMED = 3;

/** Whom a message would wake and why, and who would not be woken, as one sentence; nothing where nobody could be. */
export function wouldWake(delivery: readonly WireDelivery[], me: string): Sentence | undefined {
  if (delivery.length === 0) return undefined;
  const waking = delivery.filter(({ decision }) => decision === 'wake');
  const after = delivery.filter(({ code }) => code === 'queued');
  const later = delivery.filter(({ decision, code }) => decision === 'queue' && code !== 'queued');
  const not = delivery.filter(({ decision }) => decision === 'no');
  const nobody = waking.length + after.length + later.length === 0;
  const groups = byReason(not, me);
  if (nobody && groups.length === 1 && not.length > 1) return ['Nobody will answer: ', reasonOf(groups[0]!)];
  const clauses: Sentence[] = [
    ...byReason(waking, me).map((group, index) => [
      ...people(group.ids),
      ' will answer',
      ...(index === 0 && after.length > 0 ? [', then ', ...people(after.map(({ participant }) => participant))] : []),
      `, because ${reasonOf(group)}`,
    ]),
    ...(later.length > 0
      ? [[...people(later.map(({ participant }) => participant)), ' will answer when the thread resumes']]
      : []),
    ...groups.map((group) => [...people(group.ids), ` will not${nobody ? ' answer' : ''}: ${reasonOf(group)}`]),
  ];
  return clauses.flatMap((clause, index) => (index === 0 ? clause : ['; ', ...clause]));
}

/** Why one participant was woken by a stored message, or was not, and what came of it where that is over. */
export function wokenWords(delivery: WireDelivery, me: string, closed?: Closed): string {
  const { decision, code, reason, participant } = delivery;
  const why = reasonOf({ ids: [participant], reason: shaped(reason, participant, me) });
  if (decision === 'no') return `was not woken: ${why}`;
  if (!closed && code === 'paused') return `waits: ${why}`;
  // A participant that was silenced before its turn was never woken.
  const verb = closed?.outcome === 'stopped' ? 'was to answer' : 'was woken';
  if (code === 'paused') return `${verb} when the thread resumed${outcomeWords(closed)}`;
  const how = code === 'queued' ? ` after another: ${why}` : `, because ${why}`;
  return `${verb}${how}${outcomeWords(closed)}`;
}

interface Group {
  readonly ids: readonly string[];
  readonly reason: Shaped;
}

/** A reason in which a participant's own name is left open: "you mentioned …". */
interface Shaped {
  readonly before: string;
  readonly place: 'object' | 'subject' | 'none';
  readonly after: string;
}

function byReason(delivery: readonly WireDelivery[], me: string): readonly Group[] {
  const groups = new Map<string, { ids: string[]; reason: Shaped }>();
  for (const { participant, reason } of delivery) {
    const shape = shaped(reason, participant, me);
    const key = JSON.stringify(shape);
    const group = groups.get(key) ?? { ids: [], reason: shape };
    group.ids.push(participant);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function shaped(reason: string, id: string, me: string): Shaped {
  const told = reason
    .replace(/; (next if \S+ stays silent|\S+ answers first)$/, '')
    .replace('a human may let it continue', 'you may let it continue');
  const words = told.startsWith(`${me} `) ? `you${told.slice(me.length)}` : told;
  if (words.endsWith(` ${id}`)) return { before: words.slice(0, -id.length), place: 'object', after: '' };
  if (words.startsWith(`${id} is `)) return { before: '', place: 'subject', after: words.slice(id.length + 4) };
  return { before: words, place: 'none', after: '' };
}

function reasonOf({ ids, reason: { before, place, after } }: Group): string {
  const one = ids.length === 1;
  if (place === 'object') return `${before}${one ? 'it' : 'them'}`;
  if (place === 'subject') return `${one ? 'it is' : 'they are'} ${after}`;
  return before;
}

function people(ids: readonly string[]): Part[] {
  const shown = ids.length > NAMED + 1 ? ids.slice(0, NAMED) : ids;
  const rest = ids.length - shown.length;
  const names = shown.flatMap((id, index): Part[] => {
    const between = index === 0 ? [] : [rest === 0 && index === shown.length - 1 ? ' and ' : ', '];
    return [...between, { person: id }];
  });
  return rest > 0 ? [...names, ` and ${rest} more`] : names;
}
