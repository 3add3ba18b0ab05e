import type { RestartEvidence } from '../state.ts';
import type { Terms } from '../terms/terms.ts';
import type { PoolDivision } from './division.ts';

type DominanceEvidence = Extract<RestartEvidence, { by: 'dominance' }>;

/** Signs in the active pool that concern a restart (X6). */
export interface RestartSigns {
  /** Clusters that trigger a request. */
  readonly firing: readonly DominanceEvidence[];
  /** Clusters that triggered one before and have faded since. */
  readonly faded: readonly number[];
}

/** `includeDisarmed`: clusters that triggered before trigger again if they are still above the threshold (X18). */
export function restartSignsOf(
  division: PoolDivision,
  terms: Terms['restart'],
  disarmed: readonly number[],
  includeDisarmed = false,
): RestartSigns {
  const { active, clusterIdOf, clusters } = division;
  const firing: DominanceEvidence[] = [];
  const faded = new Set(disarmed);
  for (const [cluster, { iterations }] of clusters) {
    // Each iteration counts once, so that a verbose one does not count more.
    const share = iterations / division.iterations;
    if (share >= terms.rearm) faded.delete(cluster);
    if (share < terms.share || iterations < terms.iterations || (!includeDisarmed && disarmed.includes(cluster)))
      continue;
    const members = active.filter(({ id }) => clusterIdOf(id) === cluster);
    const requests = members.filter(({ text }) => asksForRestart(text));
    const themed = requests.length / members.length;
    if (themed < terms.themed) continue;
    const memberIterations = [...new Set(members.map(({ iter }) => iter))];
    firing.push({
      by: 'dominance',
      cluster,
      share,
      themed,
      iterations: memberIterations,
      thoughts: requests.map(({ id }) => id),
    });
  }
  return { firing: firing.sort((a, b) => b.share - a.share || a.cluster - b.cluster), faded: [...faded] };
}

const RESTART_MARK = /^\s*\[RESTART\]:?\s*/i;

/** The reason in the first thought that is marked as a restart request (X18). */
export function restartRequestIn(thoughts: readonly string[]): string | undefined {
  const request = thoughts.find((text) => RESTART_MARK.test(text));
  return request === undefined ? undefined : request.replace(RESTART_MARK, '').trim() || 'No reason was given.';
}

const RESTART_WORD = /(?<![\p{L}\p{N}_])restart(?:s|ed|ing)?(?![\p{L}\p{N}_])/iu;
const QUOTE_LINE = /^\s*>/;

/** Whether a thought contains the word outside of quoted lines. */
export function asksForRestart(text: string): boolean {
  if (!RESTART_WORD.test(text)) return false;
  return text.split('\n').some((line) => !QUOTE_LINE.test(line) && RESTART_WORD.test(line));
}
