import type { RoundCall } from '../../../../src/client/index.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import styles from './round.module.css';

type NotedCall = Pick<RoundCall, 'author' | 'outcome' | 'small' | 'restart' | 'problem'>;

/** What came of a mind's call besides thoughts: silence, a failure, a request for a restart. */
export function CallNotes({ call }: { readonly call: NotedCall }) {
  const { author, small, outcome, restart } = call;
  const hasFailed = outcome === 'malformed' || outcome === 'error';
  if (outcome === 'thoughts' && restart === undefined) return null;
  return (
    <div className={styles.thought}>
      <Face id={author} size="small" />
      <div className={styles.notes} dir="auto">
        {outcome !== 'thoughts' && (
          <p className={hasFailed ? styles.failed : undefined}>
            <Name id={author} />
            {small && ' (small)'} {describeOutcome(call)}
          </p>
        )}
        {restart !== undefined && (
          <p>
            <Name id={author} /> asks for a restart: {escapeBidi(restart)}
          </p>
        )}
      </div>
    </div>
  );
}

function describeOutcome({ outcome, problem }: NotedCall): string {
  if (outcome === 'silence') return 'was silent.';
  const failure = outcome === 'malformed' ? 'wrote an answer that could not be read' : 'could not answer';
  return `${failure}${problem ? `: ${escapeBidi(problem)}` : '.'}`;
}
