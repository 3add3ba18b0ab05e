import './transfer.css';
import { useMemo, useState } from 'react';
import { type Step, type Trail, trailOf } from '../../src/core/threads/view/trail.ts';
import type { ThreadSummary } from '../../src/core/threads/view/view.ts';
import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { oneOf } from '../ui/kinds.ts';
import { Sheet } from '../ui/sheet.tsx';
import { visible } from '../ui/text/visible.ts';
import { what } from './origin-notes.tsx';
import { type Bringing, bringing } from './requests.ts';

interface TrailLineProps {
  readonly id: string;
  /** The text that goes back from here to where it was opened from. */
  readonly text?: Bringing | undefined;
}

/** What this came from and what came of it, in a line; the whole trail at a touch. */
export function TrailLine({ id, text }: TrailLineProps) {
  const all = useStore(rows);
  const trail = useMemo(() => trailOf([...(all?.values() ?? [])] as ThreadSummary[], id), [all, id]);
  const [isWhole, setWhole] = useState(false);
  const here = all?.get(id);
  useActions(`This ${oneOf(here?.kind ?? 'conversation')}`, [
    { name: 'What it came from, and what came of it', act: () => setWhole(true), when: trail.steps.length > 0 },
  ]);
  if (trail.steps.length === 0) return null;
  const titles = new Map(trail.threads.map((thread) => [thread.id, thread]));
  const cameOf = new Set(trail.steps.flatMap(({ between: [source, into] }) => (source === id ? [into] : [])));
  const opened = trail.steps.find(({ how, between }) => how === 'opened' && between[1] === id);
  return (
    <>
      <p className="soft trail" dir="auto">
        {opened && (
          <span>
            from{' '}
            <a href={opened.from} data-in-page>
              {visible(what(opened.what))} in {visible(titles.get(opened.between[0])?.title ?? '')}
            </a>
          </span>
        )}
        {(cameOf.size > 0 || trail.steps.length > (opened ? 1 : 0)) && (
          <button type="button" className="act" onClick={() => setWhole(true)}>
            {cameOf.size > 0 ? `${cameOf.size} came of this` : 'Trail'}
          </button>
        )}
        {here?.origin && text && (
          <button type="button" className="act" title="b" onClick={() => bringing.set(text)}>
            Bring back
          </button>
        )}
      </p>
      {isWhole && <TrailSheet trail={trail} here={id} onClose={() => setWhole(false)} />}
    </>
  );
}

const HOW: Readonly<Record<Step['how'], string>> = {
  opened: 'was opened from',
  brought: 'was brought',
  forked: 'is a fork of',
  side: 'is a side channel of',
};

function TrailSheet({ trail, here, onClose }: { readonly trail: Trail; readonly here: string; onClose(): void }) {
  const threads = new Map(trail.threads.map((thread) => [thread.id, thread]));
  const name = (thread: string, link: string) => (
    <a href={link} data-in-page onClick={onClose} aria-current={thread === here ? 'true' : undefined}>
      {visible(threads.get(thread)?.title ?? '')}
    </a>
  );
  return (
    <Sheet label="Trail" onClose={onClose}>
      <ul className="trail-steps">
        {trail.steps.map((step) => (
          <li key={`${step.how} ${step.from} ${step.to}`} dir="auto">
            {name(step.between[1], step.to)}{' '}
            <span className="soft">
              ({oneOf(threads.get(step.between[1])?.kind ?? 'conversation')}) {HOW[step.how]}{' '}
              {step.what && `${visible(what(step.what))} in `}
            </span>
            {name(step.between[0], step.from)}
          </li>
        ))}
      </ul>
      {trail.more && <p className="soft">There is more than this.</p>}
    </Sheet>
  );
}
