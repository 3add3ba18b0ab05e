import { type Client, createClient, type StreamItem, type StreamOptions, type WireEvent } from '../../client/index.ts';
import type { StreamedText } from '../../core/threads/events.ts';
import {
  addLivePiece,
  type LiveText as GrowingText,
  type LiveTexts,
  removeRecordedTexts,
} from '../../core/threads/view/live-texts.ts';
import type { Cli } from '../cli.ts';
import { findToken } from '../connect/client.ts';
import { findServer } from '../connect/workspace.ts';
import type { TextStyle } from '../output/output.ts';
import { oneLine, sanitize, shorten, shortenStart, widthOf, wrap } from '../output/text.ts';

/** The end of a text that is being written. */
export interface LiveText {
  readonly thread: string;
  readonly from: string;
  readonly text: string;
}

export interface LiveTextFeed {
  /** The most recently extended text comes last. */
  current(): readonly LiveText[];
  close(): void;
}

type OpenStream = (options: StreamOptions) => AsyncIterable<StreamItem>;

const MAX_CHARS = 800;
const WRITING_LABEL = ' is writing: ';
const MIN_TEXT_WIDTH = 8;
const RECONNECT_MS = 200;

/** Follows what models are writing right now (M12), from one stream. */
export function followText(open: OpenStream, onChange: () => void): LiveTextFeed {
  const controller = new AbortController();
  const texts = createTextBuffer(onChange);
  // Without a stream, the log still has everything that was written.
  readTexts(open, texts, controller.signal).catch(() => {});
  return { current: texts.current, close: () => controller.abort() };
}

/** Like `followText`, for commands that follow the log: uses whichever server the workspace has at the time. */
export function followServedText(cli: Cli, onChange: () => void): LiveTextFeed & { isServed(): boolean } {
  const controller = new AbortController();
  const texts = createTextBuffer(onChange);
  // A database may be served by other machines; a file only by this one.
  let isServed = true;
  let timer: NodeJS.Timeout | undefined;

  async function connect() {
    const token = findToken(cli);
    const server = token === undefined ? undefined : await findServer(cli);
    setServed(server !== undefined || cli.database !== undefined);
    if (server && token !== undefined && !controller.signal.aborted)
      await readUntilDisconnected(createClient({ url: server.url, token }), texts, controller.signal);
    texts.clear();
  }

  function setServed(next: boolean) {
    if (next === isServed) return;
    isServed = next;
    onChange();
  }

  function reconnect() {
    // Keep going if the server refuses or is gone: the log has everything that was recorded.
    connect()
      .catch(() => {})
      .finally(() => {
        if (!controller.signal.aborted) timer = setTimeout(reconnect, RECONNECT_MS);
      });
  }

  reconnect();
  return {
    current: texts.current,
    isServed: () => isServed,
    close() {
      controller.abort();
      clearTimeout(timer);
    },
  };
}

/** Stops at the first disconnect: the client would retry this address forever, but the next server may have another. */
async function readUntilDisconnected(client: Client, texts: TextBuffer, signal: AbortSignal): Promise<void> {
  const disconnected = new AbortController();
  const stopSignal = AbortSignal.any([signal, disconnected.signal]);
  const onState = (state: string) => state === 'waiting' && disconnected.abort();
  await readTexts((options) => client.stream({ ...options, onState }), texts, stopSignal);
}

async function readTexts(open: OpenStream, texts: TextBuffer, signal: AbortSignal): Promise<void> {
  for await (const { live, event } of open({ after: 'head', signal })) {
    if (event) texts.record(event);
    if (live?.type === 'text.streamed') texts.add(live.thread, live.content);
  }
}

type TextBuffer = ReturnType<typeof createTextBuffer>;

function createTextBuffer(onChange: () => void) {
  let texts: LiveTexts = new Map();

  function set(next: LiveTexts) {
    if (next === texts) return;
    texts = next;
    onChange();
  }

  return {
    add: (thread: string, piece: StreamedText) => set(addLivePiece(texts, thread, piece)),
    record: (event: WireEvent) => set(removeRecordedTexts(texts, event)),
    clear: () => texts.size > 0 && set(new Map()),
    current: () => [...texts.values()].map(endOfText),
  };
}

/** An ellipsis stands for the part that was written before this stream was opened. */
function endOfText({ thread, from, start, text }: GrowingText): LiveText {
  return { thread, from, text: `${start > 0 ? '…' : ''}${text}`.slice(-MAX_CHARS) };
}

/** The writer's name and the end of the text, in one line. */
export function liveLine(
  { from, text }: Pick<LiveText, 'from' | 'text'>,
  { colors }: TextStyle,
  width: number,
): string {
  const nameWidth = Math.min(Math.floor(width / 2), width - WRITING_LABEL.length - MIN_TEXT_WIDTH);
  const name = shorten(oneLine(from), Math.max(1, nameWidth));
  const head = shorten(`${name}${WRITING_LABEL}`, width);
  return colors.dim(head + shortenStart(oneLine(text), width - widthOf(head)));
}

/** The longer form: a line for the name, then the last rows of the text. */
export function liveLines({ from, text }: LiveText, { colors }: TextStyle, width: number, rows: number): string[] {
  const textLines = wrap(sanitize(text).trimEnd(), width - 4).filter((line) => line.trim() !== '');
  return [
    `${colors.bold(oneLine(from))} ${colors.dim('is writing …')}`,
    ...textLines.slice(-rows).map((line) => colors.dim(`    ${line}`)),
  ];
}
