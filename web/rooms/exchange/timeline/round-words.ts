import type { RoundItem } from '../../../../src/client/index.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';

/** "2 thoughts and a restart request" */
export function describeRound({
  thoughts,
  calls,
}: Pick<RoundItem, 'calls'> & { readonly thoughts: readonly unknown[] }) {
  const restarts = calls.filter(({ restart }) => restart !== undefined).length;
  const silent = calls.filter(({ outcome }) => outcome === 'silence').length;
  const failed = calls.filter(({ outcome }) => outcome === 'error' || outcome === 'malformed').length;
  const parts = [
    thoughts.length > 0 && formatCount(thoughts.length, 'thought', 'thoughts'),
    restarts > 0 && (restarts === 1 ? 'a restart request' : `${restarts} restart requests`),
    silent > 0 && `${silent} silent`,
    failed > 0 && formatCount(failed, 'failure', 'failures'),
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'no thoughts';
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
}
