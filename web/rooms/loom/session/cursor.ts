import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import type { Loom } from '../loom.ts';

const PAUSE_MS = 150;

/** Shows others where the caret is (W25); nothing is sent while nobody else is there. */
export function sendCursor({ desk, caret, replica, me }: Loom) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function moved(): void {
    const others = [...replica.present.get().values()];
    if (!others.some(({ participant, state }) => participant !== me && state !== 'offline')) return;
    timer ??= setTimeout(send, PAUSE_MS);
  }

  function send(): void {
    timer = undefined;
    const { at, to, node } = caret.get();
    const isReal = node !== undefined && !/^[~]|^gen:/.test(node);
    const start = isReal ? (rangeOf(desk.weave(), node)?.from ?? 0) : 0;
    const body = isReal ? { node, from: at - start, to: Math.max(at, to) - start } : { node: null, from: 0, to: 0 };
    void replica.remote.loom.moveCursor(body).catch(() => {});
  }

  const stop = replica.present.watch(moved);
  return {
    moved,
    close(): void {
      clearTimeout(timer);
      stop();
    },
  };
}
