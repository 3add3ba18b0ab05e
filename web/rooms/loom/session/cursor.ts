import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import type { OpenLoom } from '../loom.ts';

const SEND_DELAY_MS = 150;

/** Sends the caret position to others (W25); sends nothing while nobody else is present. */
export function createCursorSender({ session, caret, replica, me }: OpenLoom) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function scheduleSend(): void {
    const others = [...replica.presences.get().values()];
    if (!others.some(({ participant, state }) => participant !== me && state !== 'offline')) return;
    timer ??= setTimeout(send, SEND_DELAY_MS);
  }

  function send(): void {
    timer = undefined;
    const { at, to, node } = caret.get();
    const isCommitted = node !== undefined && !/^[~]|^gen:/.test(node);
    const start = isCommitted ? (rangeOf(session.weave(), node)?.from ?? 0) : 0;
    const body = isCommitted
      ? { node, from: at - start, to: Math.max(at, to) - start }
      : { node: null, from: 0, to: 0 };
    void replica.remote.loom.moveCursor(body).catch(() => {});
  }

  const stop = replica.presences.watch(scheduleSend);
  return {
    scheduleSend,
    close(): void {
      clearTimeout(timer);
      stop();
    },
  };
}
