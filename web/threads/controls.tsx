import { useState } from 'react';
import type { WireThreadState } from '../../src/client/index.ts';
import type { Control } from '../../src/core/threads/schema.ts';
import { go, pathOf } from '../address.ts';
import { Refused, useWish } from '../refused.tsx';
import { lasting } from '../time.tsx';
import { addRow } from '../workspace.ts';
import { CloseSide, OpenSide } from './side.tsx';
import type { Thread } from './thread.ts';

const LIMITS = [0, 60, 300, 900, 3600, 86_400];

/** What can be done to the thread itself. */
export function Controls({
  thread,
  state,
  onRename,
  onCatchUp,
}: {
  readonly thread: Thread;
  readonly state: WireThreadState;
  onRename(): void;
  onCatchUp(): void;
}) {
  const { wish, busy, refusal } = useWish();
  const [asking, setAsking] = useState(false);
  const control = (content: Control) => wish(() => thread.remote.post({ type: 'control', content }));
  const limits = LIMITS.includes(state.ttl_seconds) ? LIMITS : [...LIMITS, state.ttl_seconds].sort((a, b) => a - b);

  async function hear(mode: Hearing): Promise<void> {
    if (state.invited_auto && mode !== 'small' && !(await control({ invited_auto: { on: false } }))) return;
    await control({ policy: { ...state.policy, mode } });
  }

  async function fork(): Promise<void> {
    const made = await wish(() => thread.remote.command('fork', {}));
    if (!made) return;
    addRow(made.thread);
    go(pathOf(made.thread.id));
  }

  return (
    <section aria-label="This thread">
      <h2>This thread</h2>
      <fieldset disabled={busy} className="controls">
        <button type="button" className="act" onClick={() => void control({ pause: { on: !state.paused } })}>
          {state.paused ? 'Resume' : 'Pause'}
        </button>
        {!state.done && (
          <button type="button" className="act" onClick={() => void control({ done: true })}>
            Mark done
          </button>
        )}
        <button type="button" className="act" onClick={onRename}>
          Rename
        </button>
        <button type="button" className="act" onClick={() => void fork()}>
          Fork
        </button>
        <button type="button" className="act" onClick={onCatchUp}>
          Catch me up
        </button>
        <button type="button" className="act" aria-expanded={asking} onClick={() => setAsking(!asking)}>
          Open a side channel
        </button>
        {asking && <OpenSide thread={thread} state={state} onDone={() => setAsking(false)} />}
        <label>
          <span className="soft">After a human’s last message agents may go on </span>
          <select
            value={state.ttl_seconds}
            onChange={(event) => void control({ ttl_seconds: Number(event.target.value) })}
          >
            {limits.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === 0 ? 'without a limit' : `for ${lasting(seconds)}`}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="soft">A message to everyone wakes </span>
          <select value={hearingOf(state)} onChange={(event) => void hear(event.target.value as Hearing)}>
            <option value="auto">agents, up to three</option>
            <option value="small">every agent</option>
            <option value="large">only those named</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={state.discussion.on}
            onChange={(event) => void control({ discussion: { on: event.target.checked } })}
          />
          <span className="soft"> Agents may wake each other by a mention</span>
        </label>
        {state.side && !state.side.closed && <CloseSide thread={thread} />}
        <Refused because={refusal} />
      </fieldset>
    </section>
  );
}

type Hearing = WireThreadState['policy']['mode'];

function hearingOf({ invited_auto, policy }: WireThreadState): Hearing {
  return invited_auto ? 'small' : policy.mode;
}
