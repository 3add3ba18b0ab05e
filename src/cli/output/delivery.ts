import type { Posted, WireDelivery } from '../../client/index.ts';
import type { Output } from './output.ts';
import { oneLine } from './text.ts';

/** What was posted, and what becomes of it for each participant (T17). */
export function tellPosted(out: Output, posted: Posted, isServed: boolean): void {
  if (out.json) {
    out.value(posted);
    return;
  }
  const { seq, id, meta } = posted.event;
  out.line(`Posted as #${seq} ${out.colors.dim(id)}`);
  for (const line of deliveryLines(posted.delivery, meta.unknown as readonly string[] | undefined))
    out.line(out.colors.dim(`  ${line}`));
  const isWaitedFor = posted.delivery.some(({ decision }) => decision !== 'no');
  if (isWaitedFor && !isServed) out.note('No server is running, so nobody answers yet. Start one: heddle serve');
}

/** Those who are woken a line each, the others by the reason they share. */
export function deliveryLines(delivery: readonly WireDelivery[], unknown: readonly string[] = []): readonly string[] {
  const first = delivery.find(({ decision }) => decision === 'wake')?.participant;
  const woken = delivery.filter(({ decision }) => decision !== 'no').map((each) => lineFor(each, first));
  const others = Map.groupBy(
    delivery.filter(({ decision }) => decision === 'no'),
    ({ reason }) => reason,
  );
  return [
    ...woken,
    ...Array.from(others, ([reason, group]) => {
      return `does not wake ${group.map(({ participant }) => participant).join(', ')}: ${reason}`;
    }),
    ...unknown.map((name) => `Nobody here is called @${oneLine(name)}.`),
  ];
}

function lineFor({ participant, decision, code, reason, reach }: WireDelivery, first: string | undefined): string {
  const away = reach === 'none' ? ' once it connects' : '';
  if (code === 'queued' && first !== undefined) return `${participant} is next if ${first} stays silent`;
  return decision === 'wake' ? `wakes ${participant}${away}: ${reason}` : `wakes ${participant} later: ${reason}`;
}
