import type { RestartEvidence } from '../state.ts';
import type { Terms } from '../terms/terms.ts';
import type { PoolDivision } from './division.ts';

type DominanceEvidence = Extract<RestartEvidence, { by: 'dominance' }>;

/** What the active pool says about a restart (X6). */
export interface RestartSigns {
  /** Clusters that ask for one. */
  readonly firing: readonly DominanceEvidence[];
  /** Of those that asked before, the ones that have faded. */
  readonly faded: readonly number[];
}

/** `includeDisarmed`: those that asked before ask once more if they are still above the threshold (X18). */
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
    // One thought of each iteration counts: a single verbose step is one voice.
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

/** The reason of the first thought that is a request by its mark (X18). */
export function restartRequestIn(thoughts: readonly string[]): string | undefined {
  const request = thoughts.find((text) => RESTART_MARK.test(text));
  return request === undefined ? undefined : request.replace(RESTART_MARK, '').trim() || 'No reason was given.';
}

const RESTART_WORD = /(?<![\p{L}\p{N}_])restart(?:s|ed|ing)?(?![\p{L}\p{N}_])/iu;
const QUOTE_LINE = /^\s*>/;

/** Whether a thought has the word outside of the lines it only quotes. */
export function asksForRestart(text: string): boolean {
  if (!RESTART_WORD.test(text)) return false;
  return text.split('\n').some((line) => !QUOTE_LINE.test(line) && RESTART_WORD.test(line));
}
