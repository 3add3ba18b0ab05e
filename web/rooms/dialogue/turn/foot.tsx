import { ChevronRight } from 'lucide-react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import { describeRun } from '../../../../src/core/runs/describe.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { currency, showMoney } from '../../../data/money.ts';
import { useStore } from '../../../data/store.ts';
import { Glyph } from '../../../ui/icon.tsx';
import { Progress } from '../../../ui/status/progress.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import { clock } from '../../../ui/time.tsx';
import { showPanel } from '../../panel-state.ts';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './sheet.module.css';
import { type TurnData, useLiveDraft } from './turn-data.ts';

/** What the run has done and used, and how much is left. */
export function UsageLine({ status: { run, late } }: { readonly status: DialogueStatus }) {
  const now = Math.max(useStore(clock), Date.now());
  if (!run) return null;
  const { line } = describeRun(run, 'iteration', now, currency.get());
  const { money } = run.budget;
  const lateNote = late > 0 && `${late} late ${late === 1 ? 'reply' : 'replies'}, kept but unused`;
  return (
    <div className={styles.used}>
      {money !== undefined && run.spent.money > 0 && (
        <>
          <span>
            {showMoney(run.spent.money)} of {showMoney(money)} used
          </span>
          <span className={styles.meter}>
            <Progress label="Budget used" fraction={Math.min(1, run.spent.money / money)} />
          </span>
          {run.state !== 'ended' && <span>{describeRest(run.spent, money)}</span>}
        </>
      )}
      <span data-part="progress">{[...line, lateNote].filter(Boolean).join(' · ')}</span>
    </div>
  );
}

/** By what an iteration has cost so far. */
function describeRest(spent: { readonly money: number; readonly iterations: number }, budget: number): string {
  const each = spent.money / Math.max(1, spent.iterations);
  const rest = Math.floor((budget - spent.money) / each);
  return rest < 1 ? 'The mind pauses now' : `About ${pluralize(rest, 'more iteration')}, then the mind pauses`;
}

interface ThoughtsFoldProps {
  readonly dialogue: LiveDialogue;
  readonly count: number;
  readonly data: TurnData;
}

/** How many thoughts there are, and the newest one; all of them are in the panel. */
export function ThoughtsFold({ dialogue, count, data }: ThoughtsFoldProps) {
  const live = useLiveDraft(dialogue, data)?.thoughts ?? [];
  const stored = useStore(dialogue.newestThought);
  const newest = live.at(-1) ?? stored;
  const total = count + live.length;
  if (total === 0) return null;
  return (
    <button type="button" className={styles.thoughts} onClick={showPanel}>
      <Glyph icon={ChevronRight} />
      <b>{pluralize(total, 'thought')}</b>
      {newest !== undefined && (
        <span className={styles.newest} dir="auto">
          “{firstLine(newest, 160)}”
        </span>
      )}
    </button>
  );
}
