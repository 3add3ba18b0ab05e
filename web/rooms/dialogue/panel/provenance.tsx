import { X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { IterationThought, ProvenanceDetails } from '../../../../src/client/index.ts';
import { textSimilarity } from '../../../../src/core/dialogue/view/away.ts';
import { linkTo } from '../../../../src/core/link.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { describeError } from '../../../data/session.ts';
import { Cause } from '../../../explain/account.tsx';
import { useAccount } from '../../../explain/use-account.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { RefusalMessage } from '../../../ui/refusal.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { Time } from '../../../ui/time.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import { TextActions } from '../../text-actions.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import type { SelectedPassage } from '../selected-passage.ts';
import styles from './panel.module.css';

/** Longer passages are searched by their beginning. */
const MAX_PASSAGE = 2000;

export type ProvenanceResult = { readonly found: ProvenanceDetails } | { readonly problem: string };

/** The origin of a selected sentence or draft. */
export function useProvenance(
  dialogue: LiveDialogue,
  selection: SelectedPassage | undefined,
): ProvenanceResult | undefined {
  const [result, setResult] = useState<ProvenanceResult>();
  useEffect(() => {
    setResult(undefined);
    if (!selection) return;
    let isCurrent = true;
    const { turn, draft, sentence } = selection;
    dialogue.queries.provenance({ turn, draft, ...(sentence && { passage: sentence.slice(0, MAX_PASSAGE) }) }).then(
      (details) => isCurrent && setResult({ found: details }),
      (error) => isCurrent && setResult({ problem: describeError(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [dialogue, selection]);
  return result;
}

/** Thoughts in the input of the iteration that wrote it, without duplicates. */
export function shownThoughts({ iteration }: ProvenanceDetails): readonly IterationThought[] {
  if (!iteration) return [];
  const { thoughts, recent, recalled } = iteration.shown;
  return [...new Map([...thoughts, ...recent, ...recalled].map((thought) => [thought.id, thought])).values()];
}

interface ProvenanceProps {
  readonly thread: string;
  readonly selection: SelectedPassage;
  /** The current clusters of thoughts; clustering happens after a thought is written. */
  readonly clusterByThought: ReadonlyMap<number, number | null>;
  readonly found: ProvenanceResult | undefined;
  onSelect(selection: SelectedPassage | undefined): void;
}

/** From a sentence to the draft that first contained it, its iteration, and the thoughts in that input (D27). */
export function ProvenanceSection({ thread, selection, clusterByThought, found, onSelect }: ProvenanceProps) {
  return (
    <section aria-label="Source" className={styles.origin}>
      <div className={styles.head}>
        <h3>Source of {selection.sentence ? 'a passage' : `draft ${selection.draft}`}</h3>
        <IconButton icon={X} label="Close the source" onClick={() => onSelect(undefined)} />
      </div>
      {selection.sentence && (
        <p className={styles.touched} dir="auto">
          “{firstLine(selection.sentence, 200)}”
        </p>
      )}
      {found && 'problem' in found && <p className="refused">{found.problem}</p>}
      {found && 'found' in found && (
        <ProvenanceChain
          thread={thread}
          selection={selection}
          clusterByThought={clusterByThought}
          provenance={found.found}
          onSelect={onSelect}
        />
      )}
      <AccountSection thread={thread} selection={selection} />
    </section>
  );
}

/** The model call, the terms and the proof, in the same form as in other rooms. */
function AccountSection({ thread, selection }: Pick<ProvenanceProps, 'thread' | 'selection'>) {
  const request = useMemo(() => {
    const { turn, draft, sentence } = selection;
    const link = linkTo({ id: thread, kind: 'dialogue' }, `${turn}.${draft}`);
    return { link, ...(sentence && { passage: { words: sentence, nth: 0 } }) };
  }, [thread, selection]);
  const { account, offset, problem } = useAccount(request);
  return (
    <div className="account">
      <RefusalMessage reason={problem} />
      {account?.link === request.link && (
        <Cause key={`${account.link} ${offset}`} account={account} offset={offset} isPromptElsewhere />
      )}
    </div>
  );
}

type ProvenanceChainProps = Omit<ProvenanceProps, 'found'> & { readonly provenance: ProvenanceDetails };

function ProvenanceChain({ thread, selection, clusterByThought, provenance, onSelect }: ProvenanceChainProps) {
  const { first, drafts, iteration, turn } = provenance;
  if (!first || !iteration)
    return <p className={styles.soft}>No draft contains this. You wrote it when you accepted.</p>;
  const passage = selection.sentence;
  const similarity = ({ text }: IterationThought) => textSimilarity(text, passage ?? '');
  const withCluster = (thought: IterationThought) => ({
    ...thought,
    cluster: clusterByThought.get(thought.id) ?? thought.cluster,
  });
  const thoughts = shownThoughts(provenance)
    .map(withCluster)
    .sort((a, b) => similarity(b) - similarity(a));
  const clusters = new Set(thoughts.flatMap(({ cluster }) => cluster ?? [])).size;
  return (
    <>
      <p>
        {selection.sentence && (
          <>
            First in{' '}
            <button type="button" className="link" onClick={() => onSelect({ turn, draft: first.index })}>
              draft {first.index}
            </button>
            {drafts.length > 1 && `, kept in ${pluralize(drafts.length - 1, 'later draft')}`}.{' '}
          </>
        )}
        Written by {iteration.model}
        {iteration.small && <span title="The small built-in model"> (small)</span>} in iteration {first.iter} ·{' '}
        <Time ts={iteration.ts} />
      </p>
      <p className={styles.soft}>
        The model saw {pluralize(thoughts.length, 'thought')}
        {clusters > 0 && ` from ${pluralize(clusters, 'cluster')}`}
        {iteration.shown.drafts.length > 0 &&
          `, ${iteration.shown.drafts.length === 1 ? 'draft' : 'drafts'} ${iteration.shown.drafts.join(', ')}`}
        {iteration.shown.history.length > 0 && `, ${pluralize(iteration.shown.history.length, 'earlier turn')}`}:
      </p>
      <ul aria-label="Thoughts in its input">
        {thoughts.map((thought) => (
          <OriginThought key={thought.id} thread={thread} thought={thought} />
        ))}
      </ul>
      {iteration.thoughts.length > 0 && (
        <>
          <p className={styles.soft}>With this draft the mind thought:</p>
          <ul aria-label="Thoughts it wrote">
            {iteration.thoughts.map(withCluster).map((thought) => (
              <OriginThought key={thought.id} thread={thread} thought={thought} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function OriginThought({ thread, thought }: { readonly thread: string; readonly thought: IterationThought }) {
  const { id, text, cluster, iter } = thought;
  return (
    <li className={styles.thought} title={`Iteration ${iter}`}>
      <span className={styles.thoughtMark}>
        <ClusterIcon cluster={cluster} />
      </span>
      <div>
        <Markdown text={text} />
      </div>
      <TextActions link={linkTo({ id: thread, kind: 'dialogue' }, `thought.${id}`)} text={text} isFolded />
    </li>
  );
}
