import { useEffect, useMemo, useState } from 'react';
import { likenessOf } from '../../../../src/core/dialogue/view/away.ts';
import { linkTo } from '../../../../src/core/link.ts';
import { sentenceFor } from '../../../data/session.ts';
import { Cause } from '../../../explain/account.tsx';
import { useAccount } from '../../../explain/use-account.ts';
import { Elsewhere } from '../../../transfer/buttons.tsx';
import { Refused } from '../../../ui/request.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import { ClusterSign } from '../../pool/map.tsx';
import type { Touched } from '../drafts/draft-list.tsx';
import type { Talk } from '../live-dialogue.ts';
import type { Provenance, Thought } from '../queries.ts';

/** Longer ones are looked for by how they begin. */
const LONGEST = 2000;

export type Found = { readonly found: Provenance } | { readonly problem: string };

/** What is known of where a touched sentence or draft came from. */
export function useWhereFrom(talk: Talk, touched: Touched | undefined): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    setFound(undefined);
    if (!touched) return;
    let isWanted = true;
    const { turn, draft, sentence } = touched;
    talk.reads.provenance({ turn, draft, ...(sentence && { passage: sentence.slice(0, LONGEST) }) }).then(
      (answer) => isWanted && setFound({ found: answer }),
      (error) => isWanted && setFound({ problem: sentenceFor(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [talk, touched]);
  return found;
}

/** Thoughts that were shown when it was written, each once. */
export function shownIn({ iteration }: Provenance): readonly Thought[] {
  if (!iteration) return [];
  const { thoughts, recent, recalled } = iteration.shown;
  return [...new Map([...thoughts, ...recent, ...recalled].map((thought) => [thought.id, thought])).values()];
}

interface WhereFromProps {
  readonly thread: string;
  readonly touched: Touched;
  /** Where thoughts belong by now: they are told after they are thought. */
  readonly placed: ReadonlyMap<number, number | null>;
  readonly found: Found | undefined;
  onTouch(touched: Touched): void;
}

/** From a sentence to the draft that first had it, the iteration that wrote that, and the thoughts it was shown (D27). */
export function WhereFrom({ thread, touched, placed, found, onTouch }: WhereFromProps) {
  return (
    <section aria-label="Where it came from" className="where-from">
      <h2>Where it came from</h2>
      {touched.sentence && (
        <p className="touched" dir="auto">
          “{firstLine(touched.sentence, 200)}”
        </p>
      )}
      {found && 'problem' in found && <p className="refused">{found.problem}</p>}
      {found && 'found' in found && (
        <Chain thread={thread} touched={touched} placed={placed} provenance={found.found} onTouch={onTouch} />
      )}
      <Rest thread={thread} touched={touched} />
    </section>
  );
}

/** The call, the terms and the proof, as everywhere. */
function Rest({ thread, touched }: Pick<WhereFromProps, 'thread' | 'touched'>) {
  const asked = useMemo(() => {
    const { turn, draft, sentence } = touched;
    const link = linkTo({ id: thread, kind: 'dialogue' }, `${turn}.${draft}`);
    return { link, ...(sentence && { passage: { words: sentence, nth: 0 } }) };
  }, [thread, touched]);
  const { account, offset, problem } = useAccount(asked);
  return (
    <div className="account">
      <Refused because={problem} />
      {account?.link === asked.link && (
        <Cause key={`${account.link} ${offset}`} account={account} offset={offset} isShownTold />
      )}
    </div>
  );
}

type ChainProps = Omit<WhereFromProps, 'found'> & { readonly provenance: Provenance };

function Chain({ thread, touched, placed, provenance, onTouch }: ChainProps) {
  const { first, drafts, iteration, turn } = provenance;
  if (!first || !iteration) return <p className="soft">No draft says this: the person wrote it when accepting.</p>;
  const passage = touched.sentence;
  const nearness = ({ text }: Thought) => likenessOf(text, passage ?? '');
  const byNow = (thought: Thought) => ({ ...thought, cluster: placed.get(thought.id) ?? thought.cluster });
  const shown = shownIn(provenance)
    .map(byNow)
    .sort((a, b) => nearness(b) - nearness(a));
  const clusters = new Set(shown.flatMap(({ cluster }) => cluster ?? [])).size;
  return (
    <>
      <p>
        {touched.sentence ? 'First in ' : ''}draft{' '}
        <button type="button" className="link" onClick={() => onTouch({ turn, draft: first.index })}>
          #{first.index}
        </button>
        {drafts.length > 1 && `, and in ${drafts.length - 1} later`}; iteration {first.iter} by {iteration.model}
        {iteration.small && <span title="The small built-in model"> (small)</span>}, <Time ts={iteration.ts} />.
      </p>
      <p className="soft">
        It was shown {shown.length} {shown.length === 1 ? 'thought' : 'thoughts'}
        {clusters > 0 && ` of ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}`}
        {iteration.shown.drafts.length > 0 &&
          `, drafts ${iteration.shown.drafts.map((index) => `#${index}`).join(' ')}`}
        {iteration.shown.history.length > 0 && `, ${iteration.shown.history.length} earlier turns`}.
      </p>
      <ul className="thoughts" aria-label="Thoughts that were shown">
        {shown.map(({ id, text, cluster, iter }) => (
          <li key={id} dir="auto">
            <ClusterSign cluster={cluster} /> {visible(text)} <span className="soft">iteration {iter}</span>{' '}
            <Elsewhere link={linkTo({ id: thread, kind: 'dialogue' }, `thought.${id}`)} />
          </li>
        ))}
      </ul>
      {iteration.thoughts.length > 0 && (
        <>
          <p className="soft">With it the mind thought:</p>
          <ul className="thoughts" aria-label="Thoughts it wrote">
            {iteration.thoughts.map(byNow).map(({ id, text, cluster }) => (
              <li key={id} dir="auto">
                <ClusterSign cluster={cluster} /> {visible(text)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
