import { RotateCw, X } from 'lucide-react';
import { useStore } from '../../../data/store.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Banner } from '../../../ui/status/banner.tsx';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { LoomActions } from '../actions.ts';
import { importResult } from '../files.ts';
import type { OpenLoom } from '../loom.ts';
import { ExplorationLine } from '../panel/explore-tab.tsx';
import { findFillIn, insertFillIn } from '../session/fill-in.ts';
import { isShelfAtEnd, Shelf } from '../shelf/shelf.tsx';
import styles from './bar.module.css';

interface LoomProps {
  readonly loom: OpenLoom;
}

/** At the end of the text: the continuations to choose from, and why one failed. */
export function ShelfPlace({ loom, actions }: LoomProps & { readonly actions: LoomActions }) {
  const state = useStore(loom.shelf.state);
  const failure = useStore(loom.session.failure);
  useStore(loom.session.revision);
  if (useStore(loom.view) !== 'write') return null;
  return (
    <>
      {state && isShelfAtEnd(loom, state) && <Shelf loom={loom} actions={actions} state={state} />}
      {failure !== undefined && (
        <div className={styles.failure}>
          <Banner
            tone="failure"
            action={
              <>
                <Button icon={RotateCw} onClick={actions.actions.generate}>
                  Try again
                </Button>
                <IconButton icon={X} label="Dismiss" onClick={() => loom.session.failure.set(undefined)} />
              </>
            }
          >
            <span dir="auto">{escapeBidi(failure)}</span>
          </Banner>
        </div>
      )}
    </>
  );
}

/** What there is to say about the text, above the bar. */
export function DockNotes({ loom }: LoomProps) {
  const notice = useStore(loom.session.notice);
  const importNotice = useStore(importResult);
  const explorations = useStore(loom.explorations.all).filter(({ state }) => state === 'running' || state === 'paused');
  return (
    <div className={styles.notes}>
      <Strays loom={loom} />
      <FillInNotice loom={loom} />
      <OthersStreams loom={loom} />
      {explorations.map((each) => (
        <div key={each.exploration} className={styles.note}>
          <ExplorationLine loom={loom} summary={each} />
        </div>
      ))}
      {importNotice?.loom === loom.id && (
        <Banner action={<IconButton icon={X} label="Dismiss" onClick={() => importResult.set(undefined)} />}>
          <span dir="auto">{escapeBidi(importNotice.words)}</span>
        </Banner>
      )}
      {notice && (
        <Banner
          tone="failure"
          action={<IconButton icon={X} label="Dismiss" onClick={() => loom.session.notice.set(undefined)} />}
        >
          <span dir="auto">{escapeBidi(notice)}</span>
        </Banner>
      )}
    </div>
  );
}

/** What models write for others here. */
function OthersStreams({ loom }: LoomProps) {
  const { openGenerations } = useStore(loom.replica.loom);
  return openGenerations
    .filter(({ request }) => request.requester !== loom.me && request.exploration === undefined)
    .map(({ request: { generation, requester } }) => (
      <div key={generation} className={styles.note}>
        <LiveLine
          doing={`${loom.session.authorOfStream(generation).author} is writing for ${escapeBidi(requester)}`}
          since={loom.replica.streams.since.get(generation) ?? Date.now()}
        />
      </div>
    ));
}

/** A fill-in is a sibling of the text it leads up to; this notice offers to insert it before that text. */
function FillInNotice({ loom }: LoomProps) {
  useStore(loom.session.revision);
  const fillIn = findFillIn(loom);
  if (!fillIn) return null;
  return (
    <Banner action={<Button onClick={() => void insertFillIn(loom, fillIn)}>Insert the fill-in</Button>}>
      This leads up to the text that followed, which is not shown now.
    </Banner>
  );
}

/** Lists kept edits of nodes that are no longer on this path. */
function Strays({ loom }: LoomProps) {
  const strays = useStore(loom.session.strays);
  if (strays.length === 0) return null;
  return (
    <div role="status" className={styles.strays}>
      <p>Your unsaved text belongs to a node that is not on this path. It is kept here until you dismiss it.</p>
      {strays.map(({ node, current }) => (
        <blockquote key={`${node} ${current}`} dir="auto">
          {escapeBidi(current)}
        </blockquote>
      ))}
      <div className={styles.row}>
        <Button onClick={() => void loom.session.goTo(strays[0]!.node)}>Go to its node</Button>
        <Button kind="quiet" onClick={() => loom.session.strays.set([])}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}
