import { Ellipsis, Settings } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { textOf } from '../../../src/core/loom/weave/weave.ts';
import { formatCount } from '../../../src/core/text/pluralize.ts';
import { useStore } from '../../data/store.ts';
import { threadPath } from '../../shell/address.ts';
import { roomText } from '../../transfer/requests.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { useIsNarrow } from '../../ui/sheet.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { RoomHeader } from '../room-header.tsx';
import type { LoomActions } from './actions.ts';
import type { LoomView, OpenLoom } from './loom.ts';
import { countWords } from './word-count.ts';

const VIEWS: readonly { readonly value: LoomView; readonly label: string }[] = [
  { value: 'write', label: 'Write' },
  { value: 'authors', label: 'Authors' },
  { value: 'probabilities', label: 'Probabilities' },
];

/** The title of the loom, how much of it there is, and the ways to look at it. */
export function LoomHeader({ loom, actions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const isNarrow = useIsNarrow();
  const view = useStore(loom.view);
  const textReference = useMemo(
    () => ({ link: threadPath({ id: loom.id, kind: 'loom' }), settle: loom.session.save }),
    [loom],
  );
  useEffect(() => {
    roomText.set(textReference);
    return () => roomText.set(undefined);
  }, [textReference]);
  const openSettings = () => actions.overlay.set({ kind: 'settings', tab: 'generation' });
  return (
    <RoomHeader
      id={loom.id}
      panelLabel="Outline"
      text={textReference}
      facts={<Facts loom={loom} />}
      actions={
        isNarrow ? (
          <Menu trigger={<IconButton icon={Ellipsis} label="More" />}>
            {VIEWS.filter(({ value }) => value !== view).map(({ value, label }) => (
              <MenuItem key={value} onSelect={() => loom.view.set(value)}>
                {label}
              </MenuItem>
            ))}
            <MenuSeparator />
            <MenuItem icon={Settings} onSelect={openSettings}>
              Loom settings
            </MenuItem>
          </Menu>
        ) : (
          <>
            <Segments label="View of the text" value={view} options={VIEWS} onChange={loom.view.set} />
            <IconButton icon={Settings} label="Loom settings" onClick={openSettings} />
          </>
        )
      }
    />
  );
}

/** "412 words · 11 nodes · saved" */
function Facts({ loom }: { readonly loom: OpenLoom }) {
  const { nodes } = useStore(loom.replica.loom);
  const isSaved = useStore(loom.session.isSaved);
  const present = useStore(loom.replica.presences);
  const words = useWordCount(loom);
  const others = [...present.values()].filter(
    ({ participant, state }) => participant !== loom.me && state !== 'offline',
  );
  return (
    <>
      {formatCount(words, 'word')} · {formatCount(nodes, 'node')} ·{' '}
      {isSaved ? 'saved' : <span role="status">not saved yet</span>}
      {others.length > 0 && <span> · with {others.map(({ participant }) => escapeBidi(participant)).join(', ')}</span>}
    </>
  );
}

const [COUNT_MS, LONG_TEXT, LONG_COUNT_MS] = [400, 1_000_000, 3_000];

/** Counted once the text has rested, and less often in a long one. */
function useWordCount({ session, caret }: OpenLoom): number {
  const [count, setCount] = useState(() => countWords(textOf(session.weave())));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(timer);
      const delay = session.length() > LONG_TEXT ? LONG_COUNT_MS : COUNT_MS;
      timer = setTimeout(() => setCount(countWords(textOf(session.weave()))), delay);
    };
    const stops = [session.revision.watch(schedule), caret.watch(schedule)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [session, caret]);
  return count;
}
