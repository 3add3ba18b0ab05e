import type { WireDelivery, WirePostResult } from '../../client/index.ts';
import type { TerminalOutput } from './output.ts';
import { oneLine } from './text.ts';

/** Prints the posted event and its delivery to each participant (T17). */
export function printPosted(out: TerminalOutput, response: WirePostResult, isServed: boolean): void {
  const { seq, id, meta } = response.event;
  const { dim } = out.colors;
  const lines = deliveryLines(response.delivery, meta.unknown as readonly string[] | undefined);
  out.answer(response, `Posted as #${seq} ${dim(id)}`, ...lines.map((line) => dim(`  ${line}`)));
  const hasPendingWakes = response.delivery.some(({ decision }) => decision !== 'no');
  if (hasPendingWakes && !isServed)
    out.note('No server is running, so nobody will answer yet. Start one: heddle serve');
}

/** One line for each participant that is woken; the others are grouped by reason. */
export function deliveryLines(delivery: readonly WireDelivery[], unknown: readonly string[] = []): readonly string[] {
  const first = delivery.find(({ decision }) => decision === 'wake')?.participant;
  const wakeLines = delivery.filter(({ decision }) => decision !== 'no').map((each) => wakeLine(each, first));
  const skippedByReason = Map.groupBy(
    delivery.filter(({ decision }) => decision === 'no'),
    ({ reason }) => reason,
  );
  return [
    ...wakeLines,
    ...Array.from(skippedByReason, ([reason, group]) => {
      return `does not wake ${group.map(({ participant }) => participant).join(', ')}: ${reason}`;
    }),
    ...unknown.map((name) => `Nobody here is called @${oneLine(name)}.`),
  ];
}

function wakeLine({ participant, decision, code, reason, reach }: WireDelivery, first: string | undefined): string {
  const connectNote = reach === 'none' ? ' once it connects' : '';
  if (code === 'queued' && first !== undefined) return `${participant} is next if ${first} stays silent`;
  return decision === 'wake'
    ? `wakes ${participant}${connectNote}: ${reason}`
    : `wakes ${participant} later: ${reason}`;
}
