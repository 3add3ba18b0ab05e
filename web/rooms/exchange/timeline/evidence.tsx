import { visible } from '../../../ui/text/visible.ts';
import { ClusterSign } from '../../pool/map.tsx';
import type { Restart } from '../queries.ts';
import { ThoughtLinks } from './thought-links.tsx';

const SHOWN = 12;

/** What a request for a restart rests on (X6). */
export function Evidence({ thread, evidence }: { readonly thread: string; readonly evidence: Restart['evidence'] }) {
  return (
    <ul className="evidence">
      {evidence.map((each) =>
        each.by === 'mind' ? (
          <li key={`${each.mind} ${each.iter}`}>
            {each.mind} asks for it in iteration {each.iter}: <q dir="auto">{visible(each.reason)}</q>
          </li>
        ) : (
          <li key={each.cluster}>
            <ClusterSign cluster={each.cluster} /> Cluster {each.cluster} has thoughts of {each.iterations.length}{' '}
            iterations, {Math.round(each.share * 100)} % of those in the active pool, and{' '}
            {Math.round(each.themed * 100)} % of it is about a restart:{' '}
            <ThoughtLinks thread={thread} ids={each.thoughts.slice(0, SHOWN)} />
            {each.thoughts.length > SHOWN && ` and ${each.thoughts.length - SHOWN} more`}
          </li>
        ),
      )}
    </ul>
  );
}
