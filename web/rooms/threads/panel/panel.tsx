import { Download, Pause, Play, SlidersHorizontal } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { showMoney } from '../../../data/money.ts';
import { client } from '../../../data/session.ts';
import { useStore } from '../../../data/store.ts';
import { threadRows } from '../../../data/workspace.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { runWithNotice } from '../../../ui/notice.tsx';
import type { OpenThread } from '../data/thread.ts';
import type { ThreadDialog } from '../dialogs/open-dialog.ts';
import { describeRules, isAgent } from './control-actions.ts';
import styles from './panel.module.css';
import { PeopleList } from './people.tsx';

interface ThreadPanelProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  onDialog(dialog: ThreadDialog): void;
  onPause(on: boolean): void;
}

/** Beside the timeline: who is in the thread, who answers, and what it has used. */
export function ThreadPanel({ thread, state, onDialog, onPause }: ThreadPanelProps) {
  return (
    <div className={styles.panel}>
      <PeopleList thread={thread} state={state} onDialog={onDialog} />
      <section aria-label="Who answers">
        <h3>Who answers</h3>
        <p className={styles.soft}>
          {state.participants.some(isAgent) ? describeRules(state) : 'No agent is here yet. Invite one to get answers.'}
        </p>
        <Button icon={SlidersHorizontal} onClick={() => onDialog({ kind: 'settings' })}>
          Change the rules
        </Button>
      </section>
      <section aria-label="In this thread">
        <h3>In this thread</h3>
        <UsageLine thread={thread.id} messages={state.messages} isWorking={state.wakes.length > 0} />
        <div className={styles.buttons}>
          <Button kind="quiet" icon={state.paused ? Play : Pause} onClick={() => onPause(!state.paused)}>
            {state.paused ? 'Resume agents' : 'Pause agents'}
          </Button>
          <ExportButton id={thread.id} />
        </div>
      </section>
    </div>
  );
}

interface UsageLineProps {
  readonly thread: string;
  readonly messages: number;
  readonly isWorking: boolean;
}

/** How much was said here, and what models have used; the latter is read again when they have finished. */
function UsageLine({ thread, messages, isWorking }: UsageLineProps) {
  const [used, setUsed] = useState<{ readonly tokens: number; readonly cost: number }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when somebody begins or ends work
  useEffect(() => {
    let isCurrent = true;
    client.models.usage().then(
      ({ threads }) => {
        const row = threads.find((each) => each.thread === thread);
        const tokens = row ? row.promptTokens + row.generatedTokens : 0;
        if (isCurrent) setUsed({ tokens, cost: row?.cost ?? 0 });
      },
      () => {}, // The line stays as it was.
    );
    return () => {
      isCurrent = false;
    };
  }, [thread, isWorking]);
  return (
    <p className={styles.soft}>
      {formatNumber(messages)} {messages === 1 ? 'message' : 'messages'}
      {used && ` · ${formatNumber(used.tokens)} tokens · ${showMoney(used.cost)}`}
    </p>
  );
}

function ExportButton({ id }: { readonly id: string }) {
  const row = useStore(threadRows)?.get(id);
  if (!row) return null;
  const exportThread = () =>
    void runWithNotice(
      async (context) => (await import('../../../export/thread.ts')).exportThread(row, 'markdown', context),
      `Exporting “${row.title}”`,
    );
  return (
    <Button kind="quiet" icon={Download} onClick={exportThread}>
      Export
    </Button>
  );
}
