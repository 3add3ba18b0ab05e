import type { RestartItem } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { Name } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { ClusterIcon } from '../../pool/map.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import styles from './restart.module.css';
import { ThoughtLinks } from './thought-links.tsx';

const MAX_THOUGHTS = 12;

interface EvidenceListProps {
  readonly exchange: LiveExchange;
  readonly restart: Pick<RestartItem, 'round' | 'evidence'>;
}

/** The evidence for a restart request: a mind's words, or a cluster that has taken over the pool (X6). */
export function EvidenceList({ exchange, restart }: EvidenceListProps) {
  return (
    <ul className={styles.evidence}>
      {restart.evidence.map((each) =>
        each.by === 'mind' ? (
          <li key={`${each.mind} ${each.iter}`}>
            <q className={styles.quote} dir="auto">
              {escapeBidi(each.reason)}
            </q>
            {restart.evidence.length > 1 && (
              <span className={styles.source}>
                <Name id={each.mind} />, round {restart.round}
              </span>
            )}
          </li>
        ) : (
          <li key={each.cluster} className={styles.clusterEvidence}>
            <ClusterIcon cluster={each.cluster} /> Cluster {each.cluster} has thoughts from{' '}
            {pluralize(each.iterations.length, 'answer')}, {Math.round(each.share * 100)}% of those in the active pool,
            and {Math.round(each.themed * 100)}% of it is about a restart:{' '}
            <ThoughtLinks exchange={exchange} ids={each.thoughts.slice(0, MAX_THOUGHTS)} />
            {each.thoughts.length > MAX_THOUGHTS && ` and ${each.thoughts.length - MAX_THOUGHTS} more`}
          </li>
        ),
      )}
    </ul>
  );
}
