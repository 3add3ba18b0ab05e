import type { RestartItem } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { ClusterIcon } from '../../pool/map.tsx';
import { ThoughtLinks } from './thought-links.tsx';

const MAX_THOUGHTS = 12;

/** The evidence for a restart request (X6). */
export function EvidenceList({
  thread,
  restart,
}: {
  readonly thread: string;
  readonly restart: Pick<RestartItem, 'round' | 'evidence'>;
}) {
  return (
    <ul className="evidence">
      {restart.evidence.map((each) =>
        each.by === 'mind' ? (
          <li key={`${each.mind} ${each.iter}`}>
            {each.mind} asks for it in round {restart.round}: <q dir="auto">{escapeBidi(each.reason)}</q>
          </li>
        ) : (
          <li key={each.cluster}>
            <ClusterIcon cluster={each.cluster} /> Cluster {each.cluster} has thoughts of{' '}
            {pluralize(each.iterations.length, 'answer')}, {Math.round(each.share * 100)} % of those in the active pool,
            and {Math.round(each.themed * 100)} % of it is about a restart:{' '}
            <ThoughtLinks thread={thread} ids={each.thoughts.slice(0, MAX_THOUGHTS)} />
            {each.thoughts.length > MAX_THOUGHTS && ` and ${each.thoughts.length - MAX_THOUGHTS} more`}
          </li>
        ),
      )}
    </ul>
  );
}
