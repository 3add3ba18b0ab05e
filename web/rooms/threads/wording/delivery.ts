import type { WireDelivery } from '../../../../src/protocol/threads.ts';
import type { Sentence, SentencePart } from './sentences.ts';
import { outcomeText, type WakeClosure } from './wake.ts';

const MAX_NAMES = 3;

/** One sentence on who would be woken by a message and why, and who would not; undefined if nobody could be. */
export function wakePreviewSentence(delivery: readonly WireDelivery[], me: string): Sentence | undefined {
  if (delivery.length === 0) return undefined;
  const woken = delivery.filter(({ decision }) => decision === 'wake');
  const queued = delivery.filter(({ code }) => code === 'queued');
  const paused = delivery.filter(({ decision, code }) => decision === 'queue' && code !== 'queued');
  const silent = delivery.filter(({ decision }) => decision === 'no');
  const isNobodyWoken = woken.length + queued.length + paused.length === 0;
  const groups = groupByReason(silent, me);
  if (isNobodyWoken && groups.length === 1 && silent.length > 1)
    return ['Nobody will answer: ', reasonText(groups[0]!)];
  const clauses: Sentence[] = [
    ...groupByReason(woken, me).map((group, index) => [
      ...personList(group.ids),
      ' will answer',
      ...(index === 0 && queued.length > 0
        ? [', then ', ...personList(queued.map(({ participant }) => participant))]
        : []),
      `, because ${reasonText(group)}`,
    ]),
    ...(paused.length > 0
      ? [[...personList(paused.map(({ participant }) => participant)), ' will answer when the thread resumes']]
      : []),
    ...groups.map((group) => [
      ...personList(group.ids),
      ` will not${isNobodyWoken ? ' answer' : ''}: ${reasonText(group)}`,
    ]),
  ];
  return clauses.flatMap((clause, index) => (index === 0 ? clause : ['; ', ...clause]));
}

/** Why a stored message woke a participant or did not, and the outcome once the wake is closed. */
export function deliveryText(delivery: WireDelivery, me: string, closure?: WakeClosure): string {
  const { decision, code, reason, participant } = delivery;
  const why = reasonText({ ids: [participant], reason: reasonTemplate(reason, participant, me) });
  if (decision === 'no') return `was not woken: ${why}`;
  if (!closure && code === 'paused') return `waits: ${why}`;
  // A participant that was silenced before its turn was never woken.
  const verb = closure?.outcome === 'stopped' ? 'was to answer' : 'was woken';
  if (code === 'paused') return `${verb} when the thread resumed${outcomeText(closure)}`;
  const how = code === 'queued' ? ` after another: ${why}` : `, because ${why}`;
  return `${verb}${how}${outcomeText(closure)}`;
}

interface ReasonGroup {
  readonly ids: readonly string[];
  readonly reason: ReasonTemplate;
}

/** A reason with a placeholder for the participant's own name: "you mentioned …". */
interface ReasonTemplate {
  readonly before: string;
  readonly place: 'object' | 'subject' | 'none';
  readonly after: string;
}

function groupByReason(delivery: readonly WireDelivery[], me: string): readonly ReasonGroup[] {
  const groups = new Map<string, { ids: string[]; reason: ReasonTemplate }>();
  for (const { participant, reason } of delivery) {
    const template = reasonTemplate(reason, participant, me);
    const key = JSON.stringify(template);
    const group = groups.get(key) ?? { ids: [], reason: template };
    group.ids.push(participant);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function reasonTemplate(reason: string, id: string, me: string): ReasonTemplate {
  const trimmed = reason
    .replace(/; (next if \S+ stays silent|\S+ answers first)$/, '')
    .replace('a human can let it continue', 'you can let it continue');
  const phrase = trimmed.startsWith(`${me} `) ? `you${trimmed.slice(me.length)}` : trimmed;
  if (phrase.endsWith(` ${id}`)) return { before: phrase.slice(0, -id.length), place: 'object', after: '' };
  if (phrase.startsWith(`${id} is `)) return { before: '', place: 'subject', after: phrase.slice(id.length + 4) };
  return { before: phrase, place: 'none', after: '' };
}

function reasonText({ ids, reason: { before, place, after } }: ReasonGroup): string {
  const isSingle = ids.length === 1;
  if (place === 'object') return `${before}${isSingle ? 'it' : 'them'}`;
  if (place === 'subject') return `${isSingle ? 'it is' : 'they are'} ${after}`;
  return before;
}

export function personList(ids: readonly string[]): SentencePart[] {
  const shown = ids.length > MAX_NAMES + 1 ? ids.slice(0, MAX_NAMES) : ids;
  const rest = ids.length - shown.length;
  const names = shown.flatMap((id, index): SentencePart[] => {
    const separator = index === 0 ? [] : [rest === 0 && index === shown.length - 1 ? ' and ' : ', '];
    return [...separator, { person: id }];
  });
  return rest > 0 ? [...names, ` and ${rest} more`] : names;
}
