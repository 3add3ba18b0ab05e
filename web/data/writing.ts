import { listen } from './connection.ts';
import { createLiveTexts } from './live-texts.ts';

const live = createLiveTexts();

/** What models write right now, in every thread. */
export const writing = live.texts;

/** Keeps up with what models write. Returns a function that stops it. */
export function followWriting(): () => void {
  const stop = listen({
    onItem({ event, live: item }) {
      if (event) live.onEvents([event]);
      else live.onLive(item);
    },
    onStart: live.clear,
  });
  return () => {
    stop();
    live.clear();
  };
}
