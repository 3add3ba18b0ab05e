import type { ThreadRow } from '../../src/client/index.ts';
import { readPartialOutput } from '../../src/core/pool/partial-output.ts';
import type { GrowingText } from '../data/live-texts.ts';
import { useStore } from '../data/store.ts';
import { ThreadPeople } from '../data/thread-people.tsx';
import { threadRows } from '../data/workspace.ts';
import { writing } from '../data/writing.ts';
import { threadPath } from '../shell/address.ts';
import { Button } from '../ui/controls/button.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { Face, Name } from '../ui/people/participant.tsx';
import { useHue } from '../ui/people/people.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Elapsed } from '../ui/status/live-line.tsx';
import { StopIcon } from '../ui/stop-icon.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';
import column from './column.module.css';
import { hiddenKinds, isShownKind } from './hidden-kinds.ts';
import { stopWork } from './need-actions.ts';
import styles from './thread-item.module.css';

/** What goes on before the first words come. */
const WORK_PHRASES: Readonly<Record<string, string>> = {
  conversation: 'An agent is about to answer',
  dialogue: 'The mind is thinking',
  exchange: 'The minds are thinking',
  loom: 'A model is about to write',
};
const MAX_ROWS = 8;
/** The end of a text is what is being written. */
const TAIL_CHARS = 140;

/** Every thread in which a model is at work, with what it writes and a way to stop it. */
export function WorkingNow() {
  const texts = useStore(writing);
  const hidden = useStore(hiddenKinds);
  const rows = [...(useStore(threadRows)?.values() ?? [])].filter((row) => row.working && isShownKind(hidden, row));
  if (rows.length === 0) return null;
  return (
    <section aria-label="Working now" className={column.section}>
      <div className={column.sectionHead}>
        <h2>Working now</h2>
      </div>
      <ul>
        {rows.slice(0, MAX_ROWS).map((row) => (
          <li key={row.id}>
            <ThreadPeople thread={row.id}>
              <WorkingRow row={row} text={texts.findLast(({ thread }) => thread === row.id)} />
            </ThreadPeople>
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p className={column.hint}>and {rows.length - MAX_ROWS} more</p>}
    </section>
  );
}

function WorkingRow({ row, text }: { readonly row: ThreadRow; readonly text: GrowingText | undefined }) {
  const { attempt, busy, refusal } = useAttempt();
  const title = escapeBidi(row.title);
  const hue = useHue(text?.from ?? '');
  return (
    <div className={`${styles.item} ${styles.working}`}>
      {text ? <Face id={text.from} size="small" /> : <KindIcon kind={row.kind} />}
      <a href={threadPath(row)} data-in-page className={styles.texts}>
        <b dir="auto">{title}</b>
        <span className={styles.snippet} dir="auto">
          {text ? (
            <>
              <Name id={text.from} /> is writing{textSoFar(text)}
            </>
          ) : (
            (WORK_PHRASES[row.kind] ?? 'A model is at work')
          )}
        </span>
      </a>
      <Elapsed since={text?.since ?? Date.parse(row.last.ts)} {...(text && { hue })} />
      <Button
        icon={StopIcon}
        disabled={busy}
        aria-label={`Stop models in ${title}`}
        onClick={() => void attempt(() => stopWork(row))}
      >
        Stop
      </Button>
      <RefusalMessage reason={refusal} />
    </div>
  );
}

function textSoFar({ purpose, text }: GrowingText): string {
  const readable = purpose === 'mind' ? readableOutput(text) : text;
  const line = readable.replace(/\s+/g, ' ').trim();
  const tail = line.length > TAIL_CHARS ? `…${line.slice(-TAIL_CHARS)}` : line;
  return tail === '' ? '' : `: “${firstLine(tail, TAIL_CHARS + 1)}”`;
}

function readableOutput(text: string): string {
  const { draft, thoughts } = readPartialOutput(text);
  return draft ?? thoughts.at(-1) ?? '';
}
