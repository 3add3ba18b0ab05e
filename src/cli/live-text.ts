import type { Client } from '../client/index.ts';
import type { TextStreamed } from '../core/threads/events.ts';

const KEPT = 400;

/** What models are writing in a thread right now, as it comes (M12): the end of the text that grew last. */
export function followText(thread: Pick<ReturnType<Client['thread']>, 'stream'>, onText: (text: string) => void) {
  const over = new AbortController();
  /** By who writes it. */
  const texts = new Map<string, string>();

  async function read() {
    for await (const { live, event } of thread.stream({ after: 'head', signal: over.signal })) {
      // What is recorded is no longer being written.
      if (event && texts.delete(event.from)) onText(newest());
      if (live?.type === 'text.streamed') add(live.content as TextStreamed);
    }
  }

  function add({ from, at, text }: TextStreamed) {
    const before = at === 0 ? '' : (texts.get(from) ?? '');
    // The last one in the map is the one that grew last.
    texts.delete(from);
    texts.set(from, `${before}${text}`.slice(-KEPT));
    onText(newest());
  }

  function newest(): string {
    return [...texts.values()].at(-1) ?? '';
  }

  // Work is followed by the log all the same where nothing can be streamed.
  read().catch(() => {});
  return { close: () => over.abort() };
}
