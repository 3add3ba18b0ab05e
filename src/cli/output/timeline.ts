import { authorShown, type Event } from '../../core/events/event.ts';
import { describe } from '../events/describe.ts';
import type { Output } from './output.ts';
import { oneLine, shorten, visible, wrap } from './text.ts';

export interface TimelineOptions {
  /** How a moment is told: "3 min ago", or by the clock where the line stays on the screen. */
  time(ts: string): string;
  /** Names the thread of each event, where several are mixed. */
  thread?(id: string): string;
}

const REMEMBERED = 1000;

/** Events as people read them: name, time, text; what merely happened in grey. */
export function createTimeline({ colors, width, line }: Output, { time, thread }: TimelineOptions) {
  const texts = new Map<string, string>();

  return function show(event: Event): void {
    const described = describe(event);
    const where = thread ? `[${oneLine(thread(event.thread))}] ` : '';
    const when = `${time(event.ts)} #${event.seq}`;
    const from = oneLine(authorShown(event));
    if (described.kind === 'note') {
      remember(event.id, `${from} ${oneLine(described.text)}`);
      const rows = wrap(`${where}· ${from} ${visible(described.text)} · ${when}`, width - 2);
      for (const [i, row] of rows.entries()) line(colors.dim(i === 0 ? row : `  ${row}`));
      return;
    }
    remember(event.id, `${from}: ${oneLine(described.text)}`);
    const label = [to(event), described.label].filter(Boolean).join(', ');
    line(`${colors.dim(where)}${colors.bold(hued(from))}${label ? ` ${label}` : ''} ${colors.dim(`· ${when}`)}`);
    const { reply_to } = event.meta;
    if (reply_to)
      line(colors.dim(`  ↳ ${shorten(texts.get(reply_to) ?? `in reply to ${oneLine(reply_to)}`, width - 4)}`));
    for (const row of wrap(visible(described.text), width - 2)) line(row === '' ? '' : `  ${row}`);
  };

  function remember(id: string, text: string) {
    texts.set(id, text);
    if (texts.size > REMEMBERED) texts.delete(texts.keys().next().value as string);
  }

  /** The same name has the same colour everywhere. */
  function hued(name: string): string {
    let sum = 0;
    for (const unit of name) sum = (sum * 31 + (unit.codePointAt(0) as number)) % 9973;
    const hues = [colors.cyan, colors.yellow, colors.green, colors.magenta, colors.blue, colors.red];
    return (hues[sum % hues.length] as (text: string) => string)(name);
  }
}

function to({ to: recipients }: Event): string {
  return recipients === 'all' ? '' : `→ ${oneLine([recipients].flat().join(', '))}`;
}
