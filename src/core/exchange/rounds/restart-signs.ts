import type { Evidence } from '../state.ts';
import type { Terms } from '../terms/terms.ts';
import type { Division } from './division.ts';

type Dominance = Extract<Evidence, { by: 'dominance' }>;

/** What the active pool says about a restart (X6). */
export interface Signs {
  /** Clusters that ask for one. */
  readonly firing: readonly Dominance[];
  /** Of those that asked before, the ones that have faded. */
  readonly faded: readonly number[];
}

/** `again`: those that asked before ask once more if they are still above the threshold (X18). */
export function signsOf(
  division: Division,
  terms: Terms['restart'],
  disarmed: readonly number[],
  again = false,
): Signs {
  const { active, placeOf, clusters } = division;
  const firing: Dominance[] = [];
  const faded = new Set(disarmed);
  for (const [cluster, { iterations }] of clusters) {
    // One thought of each iteration counts: a single verbose step is one voice.
    const share = iterations / division.iterations;
    if (share >= terms.rearm) faded.delete(cluster);
    if (share < terms.share || iterations < terms.iterations || (!again && disarmed.includes(cluster))) continue;
    const members = active.filter(({ id }) => placeOf(id) === cluster);
    const asking = members.filter(({ text }) => asksForRestart(text));
    const themed = asking.length / members.length;
    if (themed < terms.themed) continue;
    const spread = [...new Set(members.map(({ iter }) => iter))];
    firing.push({ by: 'dominance', cluster, share, themed, iterations: spread, thoughts: asking.map(({ id }) => id) });
  }
  return { firing: firing.sort((a, b) => b.share - a.share || a.cluster - b.cluster), faded: [...faded] };
}

const MARK = /^\s*\[RESTART\]:?\s*/i;

/** The reason of the first thought that is a request by its mark (X18). */
export function requestIn(thoughts: readonly string[]): string | undefined {
  const request = thoughts.find((text) => MARK.test(text));
  return request === undefined ? undefined : request.replace(MARK, '').trim() || 'No reason was given.';
}

const WORD = /(?<![\p{L}\p{N}_])restart(?:s|ed|ing)?(?![\p{L}\p{N}_])/iu;
const QUOTED = /^\s*>/;

/** Whether a thought has the word outside of the lines it only quotes. */
export function asksForRestart(text: string): boolean {
  if (!WORD.test(text)) return false;
  return text.split('\n').some((line) => !QUOTED.test(line) && WORD.test(line));
}
