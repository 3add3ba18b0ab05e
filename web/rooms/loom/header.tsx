import { useEffect, useMemo } from 'react';
import { useStore } from '../../data/store.ts';
import { threadPath } from '../../shell/address.ts';
import { roomText } from '../../transfer/requests.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { RoomHeader } from '../room-header.tsx';
import type { OpenLoom } from './loom.ts';
import type { LoomAuthor } from './session/authors.ts';

/** An imported file may name any number of authors; the text itself still shows each of them. */
const MAX_NAMED_AUTHORS = 8;

/** The title of the loom, and the colour and line style of each author. */
export function LoomHeader({ loom }: { readonly loom: OpenLoom }) {
  const state = useStore(loom.replica.loom);
  const present = useStore(loom.replica.presences);
  const models = useStore(loom.models);
  const authors = useMemo(() => loom.authors.all(state), [loom, state]);
  const textReference = useMemo(
    () => ({ link: threadPath({ id: loom.id, kind: 'loom' }), settle: loom.session.save }),
    [loom],
  );
  useEffect(() => {
    roomText.set(textReference);
    return () => roomText.set(undefined);
  }, [textReference]);
  const others = [...present.values()].filter(
    ({ participant, state: status }) => participant !== loom.me && status !== 'offline',
  );
  const isSmall = (name: string) => models.find((model) => model.name === name)?.capabilities?.label === 'small';
  return (
    <RoomHeader className="head loom-head" id={loom.id} panelLabel="Tree" text={textReference}>
      <ul className="legend" aria-label="Authors">
        {authors.slice(0, MAX_NAMED_AUTHORS).map((author) => (
          <li key={`${author.kind} ${author.id}`}>
            <AuthorName author={author} isMe={author.id === loom.me && author.kind === 'human'} />
            {isSmall(author.id) && author.id !== 'small' && <span className="soft"> small</span>}
          </li>
        ))}
        {authors.length > MAX_NAMED_AUTHORS && <li className="soft">and {authors.length - MAX_NAMED_AUTHORS} more</li>}
        {others.length > 0 && <li className="soft">with {others.map(({ participant }) => participant).join(', ')}</li>}
      </ul>
    </RoomHeader>
  );
}

export function AuthorName({ author, isMe }: { readonly author: LoomAuthor; readonly isMe?: boolean }) {
  const id = escapeBidi(author.id);
  const name = isMe ? 'you' : id;
  if (author.hue === undefined) return <span className="author">{name}</span>;
  return (
    <span className={`author person hue-${author.hue}`} title={`Written by ${id}`}>
      {name}
    </span>
  );
}
