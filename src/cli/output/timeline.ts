import { attachmentsOf, describeAttachment } from '../../core/attachments/attachment.ts';
import { describeEvent } from '../../core/describe.ts';
import { authorLabelOf, type Event } from '../../core/events/event.ts';
import type { TerminalOutput } from './output.ts';
import { oneLine, sanitize, shorten, wrap } from './text.ts';

export interface TimelineOptions {
  /** Formats a time as "3 min ago", or as a clock time if the line stays on the screen. */
  formatTime(ts: string): string;
  /** The name of an event's thread, when several threads are mixed. */
  threadName?(id: string): string;
}

const MAX_REMEMBERED = 1000;

/** Prints events for people: name, time and text, with notes in grey. */
export function createTimeline({ colors, width, line }: TerminalOutput, { formatTime, threadName }: TimelineOptions) {
  const recentTexts = new Map<string, string>();

  /** `versions` are newer texts of messages, by `versionKeyOf`: they are shown in place of the first ones (T35). */
  return function show(event: Event, versions?: ReadonlyMap<string, Event>): void {
    if (isToldByNext(event)) return;
    const version = event.type === 'message' ? versions?.get(versionKeyOf(event.id, event)) : undefined;
    const description = version ? { ...describeEvent(version), label: 'edited' } : describeEvent(event);
    const threadLabel = threadName ? `[${oneLine(threadName(event.thread))}] ` : '';
    const when = `${formatTime(event.ts)} #${event.seq}`;
    const from = oneLine(authorLabelOf(event));
    if (description.kind === 'note') {
      remember(event.id, `${from} ${oneLine(description.text)}`);
      const rows = wrap(`${threadLabel}· ${from} ${sanitize(description.text)} · ${when}`, width - 2);
      for (const [i, row] of rows.entries()) line(colors.dim(i === 0 ? row : `  ${row}`));
      return;
    }
    remember(event.id, `${from}: ${oneLine(description.text)}`);
    const label = [recipientsLabel(event), oneLine(description.label)].filter(Boolean).join(', ');
    line(
      `${colors.dim(threadLabel)}${colors.bold(colorize(from))}${label ? ` ${label}` : ''} ${colors.dim(`· ${when}`)}`,
    );
    const { reply_to } = event.meta;
    if (reply_to)
      line(colors.dim(`  ↳ ${shorten(recentTexts.get(reply_to) ?? `in reply to ${oneLine(reply_to)}`, width - 4)}`));
    for (const row of wrap(sanitize(description.text), width - 2)) line(row === '' ? '' : `  ${row}`);
    for (const attachment of attachmentsOf(event.meta))
      line(colors.dim(`  [${oneLine(describeAttachment(attachment))}]`));
  };

  function remember(id: string, text: string) {
    recentTexts.set(id, text);
    if (recentTexts.size > MAX_REMEMBERED) recentTexts.delete(recentTexts.keys().next().value as string);
  }

  /** The same name has the same colour everywhere. */
  function colorize(name: string): string {
    let sum = 0;
    for (const unit of name) sum = (sum * 31 + (unit.codePointAt(0) as number)) % 9973;
    const hues = [colors.cyan, colors.yellow, colors.green, colors.magenta, colors.blue, colors.red];
    return (hues[sum % hues.length] as (text: string) => string)(name);
  }
}

/** A version counts only by the author of the message, who came in the same way (T22, L25). */
export function versionKeyOf(message: string, { from, imported }: Pick<Event, 'from' | 'imported'>): string {
  return `${message} ${authorLabelOf(imported ? { from, imported } : { from })}`;
}

/** A rename is told once, by the fact (T10). */
function isToldByNext({ type, content }: Event): boolean {
  return type === 'control' && typeof content === 'object' && content !== null && 'rename' in content;
}

function recipientsLabel({ to: recipients }: Event): string {
  return recipients === 'all' ? '' : `→ ${oneLine([recipients].flat().join(', '))}`;
}
