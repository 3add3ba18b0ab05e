import { useEffect, useMemo } from 'react';
import { useStore } from '../../data/store.ts';
import { rows } from '../../data/workspace.ts';
import { pathTo } from '../../shell/address.ts';
import { ListButton, PanelButton } from '../../shell/frame.tsx';
import { wholeText } from '../../transfer/requests.ts';
import { TrailLine } from '../../transfer/trail.tsx';
import { visible } from '../../ui/text/visible.ts';
import { SaidBeside } from '../discussion-link.tsx';
import { ImportedNote } from '../imported-note.tsx';
import type { Loom } from './loom.ts';
import type { Author } from './session/authors.ts';

/** A file of other programs may name any number of authors; each is told where its text is. */
const NAMED = 8;

/** What the loom is called, and by which colour and line each author is known. */
export function Head({ loom }: { readonly loom: Loom }) {
  const row = useStore(rows)?.get(loom.id);
  const state = useStore(loom.replica.loom);
  const present = useStore(loom.replica.present);
  const models = useStore(loom.models);
  const authors = useMemo(() => loom.authors.all(state), [loom, state]);
  const whole = useMemo(() => ({ link: pathTo({ id: loom.id, kind: 'loom' }), settle: loom.desk.save }), [loom]);
  useEffect(() => {
    wholeText.set(whole);
    return () => wholeText.set(undefined);
  }, [whole]);
  const here = [...present.values()].filter(
    ({ participant, state: is }) => participant !== loom.me && is !== 'offline',
  );
  const isSmall = (name: string) => models.find((model) => model.name === name)?.capabilities?.label === 'small';
  return (
    <header className="head loom-head">
      <ListButton />
      <div className="head-words">
        <h1 dir="auto" title={visible(row?.title ?? '')}>
          {visible(row?.title ?? '')}
        </h1>
        <ul className="legend" aria-label="Authors">
          {authors.slice(0, NAMED).map((author) => (
            <li key={`${author.kind} ${author.id}`}>
              <Name author={author} isMe={author.id === loom.me && author.kind === 'human'} />
              {isSmall(author.id) && author.id !== 'small' && <span className="soft"> small</span>}
            </li>
          ))}
          {authors.length > NAMED && <li className="soft">and {authors.length - NAMED} more</li>}
          {here.length > 0 && <li className="soft">with {here.map(({ participant }) => participant).join(', ')}</li>}
        </ul>
        <TrailLine id={loom.id} text={whole} />
        <SaidBeside id={loom.id} />
        <ImportedNote id={loom.id} />
      </div>
      <PanelButton label="Tree" />
    </header>
  );
}

export function Name({ author, isMe }: { readonly author: Author; readonly isMe?: boolean }) {
  const id = visible(author.id);
  const name = isMe ? 'you' : id;
  if (author.hue === undefined) return <span className="author">{name}</span>;
  return (
    <span className={`author person hue-${author.hue}`} title={`Written by ${id}`}>
      {name}
    </span>
  );
}
