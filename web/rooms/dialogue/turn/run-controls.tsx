import { ChevronDown, Pause, Play, StepForward } from 'lucide-react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { runWithNotice } from '../../../ui/notice.tsx';
import { useIsNarrow } from '../../../ui/sheet.tsx';
import { StopIcon } from '../../../ui/stop-icon.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './action-bar.module.css';
import { BarButton } from './bar-button.tsx';

const AMOUNTS = [5, 20, 100, 500];

interface RunControlsProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  /** Nothing else is to be done: letting the mind think is the main action. */
  readonly isPrimary: boolean;
}

/** Lets the mind think, holds it, lets it go on, stops it. */
export function RunControls({ dialogue: { remote }, status: { run }, isPrimary }: RunControlsProps) {
  const isNarrow = useIsNarrow();
  const state = run?.state ?? 'ended';
  const think = (iterations?: number) =>
    void runWithNotice(() => remote.command('run', iterations ? { iterations } : {}));
  const step = () => void runWithNotice(() => remote.command('step', {}));
  const pause = () => void runWithNotice(() => remote.command('pause_run', {}));
  const resume = () => void runWithNotice(() => remote.command('resume_run', {}));
  const stop = () => void runWithNotice(() => remote.command('stop_run', {}));
  useActions('This dialogue', [
    { name: 'Let the mind think', keys: ['g'], act: () => think(), when: state === 'ended' },
    { name: 'Pause the mind', keys: ['g'], act: pause, when: state === 'running' },
    { name: 'Let the mind continue', keys: ['g'], act: resume, when: state === 'paused' },
    { name: 'Let it think one iteration', keys: ['.'], act: step, when: state === 'ended' },
    { name: 'Stop the mind', keys: ['x'], act: stop, when: state !== 'ended' },
    ...AMOUNTS.map((amount) => ({
      name: `Let the mind think for ${amount} iterations`,
      many: true as const,
      act: () => think(amount),
      when: state === 'ended',
    })),
  ]);
  if (state === 'running') {
    return (
      <>
        {!isNarrow && <IconButton kind="secondary" icon={Pause} label="Pause" shortcut="g" onClick={pause} />}
        <BarButton icon={StopIcon} label="Stop" shortcut="x" onPress={stop} />
      </>
    );
  }
  if (state === 'paused') {
    return (
      <>
        <BarButton icon={Play} label="Continue" shortcut="g" onPress={resume} />
        <BarButton icon={StopIcon} label="Stop" shortcut="x" isOnlyWide onPress={stop} />
      </>
    );
  }
  const kind = isPrimary ? 'primary' : 'secondary';
  const menu = (
    <Menu trigger={<IconButton kind={kind} icon={isNarrow && !isPrimary ? Play : ChevronDown} label="Think for" />}>
      <MenuItem icon={Play} shortcut="g" onSelect={() => think()}>
        Until it signals
      </MenuItem>
      <MenuItem icon={StepForward} shortcut="." onSelect={step}>
        One iteration
      </MenuItem>
      <MenuSeparator />
      {AMOUNTS.map((amount) => (
        <MenuItem key={amount} onSelect={() => think(amount)}>
          {amount} iterations
        </MenuItem>
      ))}
    </Menu>
  );
  if (isNarrow && !isPrimary) return menu;
  return (
    <span className={styles.split}>
      <Button kind={kind} icon={Play} shortcut="g" onClick={() => think()}>
        Think
      </Button>
      {menu}
    </span>
  );
}
