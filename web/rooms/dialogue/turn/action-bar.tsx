import { Check, Diff, Navigation, Pencil, X } from 'lucide-react';
import type { DialogueStatus, DraftItem } from '../../../../src/client/index.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './action-bar.module.css';
import { BarButton } from './bar-button.tsx';
import { RunControls } from './run-controls.tsx';
import type { TurnView } from './turn-view.ts';

interface ActionBarProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly view: TurnView;
  readonly canCompare: boolean;
  accept(draft: DraftItem): void;
  steer(): void;
}

/** What can be done with the turn: each with its key, and the accept names its draft. */
export function ActionBar({ dialogue, status, view, canCompare, accept, steer }: ActionBarProps) {
  const { current, compared } = view;
  const when = current !== undefined;
  useActions('This dialogue', [
    { name: 'Accept this draft', keys: ['a'], act: () => current && accept(current), when },
    { name: 'Edit it, then accept', keys: ['e'], act: () => current && view.edit(current), when },
    {
      name: compared ? 'Stop comparing' : 'Compare with the draft before',
      keys: ['d'],
      act: () => (compared ? view.stopComparing() : current && view.compareWithNext(current)),
      when: canCompare,
    },
    { name: 'Close the comparison', keys: ['Escape'], act: view.stopComparing, when: compared !== undefined },
  ]);
  if (view.isEditing) return null;
  return (
    <div className={styles.bar} role="toolbar" aria-label="Draft actions">
      {current && <AcceptButton draft={current} onPress={() => accept(current)} />}
      {compared && (
        <BarButton
          icon={Check}
          label={`Accept draft ${other(compared, current).index}`}
          isOnlyWide
          onPress={() => accept(other(compared, current))}
        />
      )}
      {current && <BarButton icon={Pencil} label="Edit" shortcut="e" onPress={() => view.edit(current)} />}
      {compared ? (
        <>
          <span className={styles.push} />
          <BarButton icon={X} label="Close" shortcut="Esc" isQuiet onPress={view.stopComparing} />
        </>
      ) : (
        <>
          {current && canCompare && (
            <BarButton icon={Diff} label="Compare" shortcut="d" onPress={() => view.compareWithNext(current)} />
          )}
          <BarButton icon={Navigation} label="Steer" shortcut="s" onPress={steer} />
          <span className={styles.push} />
          <RunControls dialogue={dialogue} status={status} isPrimary={!current} />
        </>
      )}
    </div>
  );
}

function other({ first, second }: { first: DraftItem; second: DraftItem }, draft: DraftItem | undefined): DraftItem {
  return draft === first ? second : first;
}

function AcceptButton({ draft, onPress }: { readonly draft: DraftItem; onPress(): void }) {
  return (
    <Button kind="primary" icon={Check} shortcut="a" className={styles.accept} onClick={onPress}>
      <span>
        Accept<span className={styles.wide}> draft</span> {draft.index}
      </span>
    </Button>
  );
}
