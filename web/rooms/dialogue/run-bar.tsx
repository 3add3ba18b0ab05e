import type { DialogueStatus } from '../../../src/client/index.ts';
import { useAttempt } from '../../ui/refusal.tsx';
import { RunBar, type RunWords } from '../run-bar.tsx';
import type { LiveDialogue } from './live-dialogue.ts';

const WORDS: RunWords = {
  ...{ room: 'This dialogue', label: 'Thinking', unit: 'iteration' as const, start: 'Think', step: 'One step' },
  amount: 'For how long',
  choices: [
    [0, 'until it signals'],
    ...[5, 20, 100, 500].map((iterations) => [iterations, `for ${iterations} iterations`] as const),
  ],
  names: {
    start: 'Let the mind think',
    step: 'Let it think one step',
    pause: 'Hold the mind',
    resume: 'Let the mind go on',
    stop: 'Stop the mind',
  },
};

interface DialogueRunBarProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
}

export function DialogueRunBar({ dialogue: { remote }, status: { run, late } }: DialogueRunBarProps) {
  return (
    <RunBar
      words={WORDS}
      run={run}
      initialAmount={0}
      attempts={useAttempt()}
      remote={remote}
      start={(iterations) => remote.command('run', iterations ? { iterations } : {})}
      step={() => remote.command('step', {})}
      after={[late > 0 && `${late} late ${late === 1 ? 'reply' : 'replies'}, kept but unused`]}
    />
  );
}
