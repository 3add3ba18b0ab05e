import type { WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { addRow } from '../../../data/workspace.ts';
import { go, pathOf } from '../../../shell/address.ts';
import { Refused, useWish } from '../../../ui/request.tsx';
import type { Thread } from '../data/thread.ts';
import { HEARING, hearingOf, hearingTo, limitsOf } from './control-actions.ts';
import type { Folds } from './sections.ts';
import { CloseSide, OpenSide } from './side-channel.tsx';

/** What can be done to the thread itself. */
export function Controls({
  thread,
  state,
  folds,
  onRename,
  onCatchUp,
}: {
  readonly thread: Thread;
  readonly state: WireThreadState;
  readonly folds: Folds;
  onRename(): void;
  onCatchUp(): void;
}) {
  const { wish, busy, refusal } = useWish();
  const asking = folds.has('side');
  const control = (content: Control) => wish(() => thread.remote.post({ type: 'control', content }));

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
        <button type="button" className="act" aria-expanded={asking} onClick={() => folds.toggle('side')}>
          Open a side channel
        </button>
        {asking && <OpenSide thread={thread} state={state} onDone={() => folds.toggle('side')} />}
        <label>
          <span className="soft">After a human’s last message agents may go on </span>
          <select
            value={state.ttl_seconds}
            onChange={(event) => void control({ ttl_seconds: Number(event.target.value) })}
          >
            {limitsOf(state).map(({ seconds, is }) => (
              <option key={seconds} value={seconds}>
                {is}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="soft">A message to everyone wakes </span>
          <select
            value={hearingOf(state)}
            onChange={({ target }) =>
              void wish(() => thread.control(hearingTo(state, HEARING[target.selectedIndex]?.mode ?? 'auto')))
            }
          >
            {HEARING.map(({ mode, is }) => (
              <option key={mode} value={mode}>
                {is}
              </option>
            ))}
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
