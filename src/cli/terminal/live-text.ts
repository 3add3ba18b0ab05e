import { type Client, createClient, type StreamItem, type StreamOptions } from '../../client/index.ts';
import type { TextStreamed } from '../../core/threads/events.ts';
import type { Cli } from '../cli.ts';
import { knownToken } from '../connect/client.ts';
import { serverOf } from '../connect/workspace.ts';
import type { Output } from '../output/output.ts';
import { ending, oneLine, shorten, visible, widthOf, wrap } from '../output/text.ts';

/** The end of what somebody is writing. */
export interface LiveText {
  readonly thread: string;
  readonly from: string;
  readonly text: string;
}

export interface LiveTexts {
  /** The one that grew last is the last. */
  current(): readonly LiveText[];
  close(): void;
}

type OpenStream = (options: StreamOptions) => AsyncIterable<StreamItem>;

const KEPT = 800;
const WRITES = ' is writing: ';
const LEAST_TEXT = 8;
const LOOK_AGAIN_MS = 200;

/** What models are writing right now, as it comes (M12), from one stream. */
export function followText(open: OpenStream, onChange: () => void): LiveTexts {
  const over = new AbortController();
  const texts = createTexts(onChange);
  // The log tells what was written all the same where nothing can be streamed.
  readTexts(open, texts, over.signal).catch(() => {});
  return { current: texts.current, close: () => over.abort() };
}

/** The same for what follows the log itself: from the workspace's server, whichever one there is at the time. */
export function followServedText(cli: Cli, onChange: () => void): LiveTexts & { isServed(): boolean } {
  const over = new AbortController();
  const texts = createTexts(onChange);
  // Other machines may serve a database; a file is served here or nowhere.
  let isServed = true;
  let timer: NodeJS.Timeout | undefined;

  async function look() {
    const token = knownToken(cli);
    const server = token === undefined ? undefined : await serverOf(cli);
    setServed(server !== undefined || cli.database !== undefined);
    if (server && token !== undefined && !over.signal.aborted)
      await readUntilLost(createClient({ url: server.url, token }), texts, over.signal);
    texts.clear();
  }

  function setServed(next: boolean) {
    if (next === isServed) return;
    isServed = next;
    onChange();
  }

  function lookAgain() {
    // A server that says no, or is gone, is no reason to end: what is recorded is in the log.
    look()
      .catch(() => {})
      .finally(() => {
        if (!over.signal.aborted) timer = setTimeout(lookAgain, LOOK_AGAIN_MS);
      });
  }

  lookAgain();
  return {
    current: texts.current,
    isServed: () => isServed,
    close() {
      over.abort();
      clearTimeout(timer);
    },
  };
}

/** A stream of the client goes on at the same address for ever; the next server may have another. */
async function readUntilLost(client: Client, texts: Texts, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const either = AbortSignal.any([signal, lost.signal]);
  const onState = (state: string) => state === 'waiting' && lost.abort();
  await readTexts((options) => client.stream({ ...options, onState }), texts, either);
}

async function readTexts(open: OpenStream, texts: Texts, signal: AbortSignal): Promise<void> {
  for await (const { live, event } of open({ after: 'head', signal })) {
    if (event) texts.record(event);
    if (live?.type === 'text.streamed') texts.add(live.thread, live.content as TextStreamed);
  }
}

type Texts = ReturnType<typeof createTexts>;

function createTexts(onChange: () => void) {
  const texts = new Map<string, LiveText>();
  const keyOf = (thread: string, from: string) => `${thread} ${from}`;

  function add(thread: string, { from, at, text }: TextStreamed) {
    const key = keyOf(thread, from);
    // The beginning was said before anyone listened.
    const before = at === 0 ? '' : (texts.get(key)?.text ?? '…');
    // The last one in the map is the one that grew last.
    texts.delete(key);
    texts.set(key, { thread, from, text: `${before}${text}`.slice(-KEPT) });
    onChange();
  }

  /** What is recorded is no longer being written; of earlier thoughts it is recorded meanwhile where they belong. */
  function record({ thread, type, from, content }: RecordedEvent) {
    if (type === 'thought.clustered') return;
    const written = [...texts].filter(([, text]) => {
      if (text.thread !== thread) return false;
      return text.from === from || STOPS.has(type) || (type === 'wake.closed' && participantIn(content) === text.from);
    });
    for (const [key] of written) texts.delete(key);
    if (written.length > 0) onChange();
  }

  function clear() {
    if (texts.size === 0) return;
    texts.clear();
    onChange();
  }

  return { add, record, clear, current: () => [...texts.values()] };
}

interface RecordedEvent {
  readonly thread: string;
  readonly type: string;
  readonly from: string;
  readonly content: unknown;
}

/** What makes everybody in a thread stop writing, though not one of them said so. */
const STOPS: ReadonlySet<string> = new Set(['run.ended', 'run.paused', 'rounds.ended', 'rounds.paused', 'control']);

function participantIn(content: unknown): unknown {
  return (content as { readonly participant?: unknown } | null)?.participant;
}

/** Who writes, and the end of it in one line. */
export function liveLine({ from, text }: Pick<LiveText, 'from' | 'text'>, { colors }: Paint, width: number): string {
  const room = Math.min(Math.floor(width / 2), width - WRITES.length - LEAST_TEXT);
  const name = shorten(oneLine(from), Math.max(1, room));
  const head = shorten(`${name}${WRITES}`, width);
  return colors.dim(head + ending(oneLine(text), width - widthOf(head)));
}

/** The same where there is room: a line for the name, then the last rows of the text. */
export function liveLines({ from, text }: LiveText, { colors }: Paint, width: number, rows: number): string[] {
  const written = wrap(visible(text).trimEnd(), width - 4).filter((line) => line.trim() !== '');
  return [
    `${colors.bold(oneLine(from))} ${colors.dim('is writing …')}`,
    ...written.slice(-rows).map((line) => colors.dim(`    ${line}`)),
  ];
}

type Paint = Pick<Output, 'colors'>;
