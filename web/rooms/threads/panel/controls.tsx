import type { WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { addRow } from '../../../data/workspace.ts';
import { conversationPath, navigate } from '../../../shell/address.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { OpenThread } from '../data/thread.ts';
import { AUDIENCES, audienceControls, audienceOf, timeLimitOptions } from './control-actions.ts';
import type { PanelSections } from './sections.ts';
import { CloseSideForm, OpenSideForm } from './side-channel.tsx';

/** Controls for the thread itself. */
export function Controls({
  thread,
  state,
  sections,
  onRename,
  onCatchUp,
}: {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  readonly sections: PanelSections;
  onRename(): void;
  onCatchUp(): void;
}) {
  const { attempt, busy, refusal } = useAttempt();
  const isSideFormOpen = sections.has('side');
  const postControl = (content: Control) => attempt(() => thread.remote.post({ type: 'control', content }));

  async function fork(): Promise<void> {
    const created = await attempt(() => thread.remote.command('fork', {}));
    if (!created) return;
    addRow(created.thread);
    navigate(conversationPath(created.thread.id));
  }

  return (
    <section aria-label="This thread">
      <h2>This thread</h2>
      <fieldset disabled={busy} className="controls">
        <ActionButton onClick={() => void postControl({ pause: { on: !state.paused } })}>
          {state.paused ? 'Resume' : 'Pause'}
        </ActionButton>
        {!state.done && <ActionButton onClick={() => void postControl({ done: true })}>Mark done</ActionButton>}
        <ActionButton onClick={onRename}>Rename</ActionButton>
        <ActionButton onClick={() => void fork()}>Fork</ActionButton>
        <ActionButton onClick={onCatchUp}>Catch me up</ActionButton>
        <ActionButton aria-expanded={isSideFormOpen} onClick={() => sections.toggle('side')}>
          Open a side channel
        </ActionButton>
        {isSideFormOpen && <OpenSideForm thread={thread} state={state} onDone={() => sections.toggle('side')} />}
        <label>
          <span className="soft">After a human’s last message agents may go on </span>
          <select
            value={state.ttl_seconds}
            onChange={(event) => void postControl({ ttl_seconds: Number(event.target.value) })}
          >
            {timeLimitOptions(state).map(({ seconds, is: label }) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="soft">A message to everyone wakes </span>
          <select
            value={audienceOf(state)}
            onChange={({ target }) =>
              void attempt(() =>
                thread.control(audienceControls(state, AUDIENCES[target.selectedIndex]?.mode ?? 'auto')),
              )
            }
          >
            {AUDIENCES.map(({ mode, is: label }) => (
              <option key={mode} value={mode}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={state.discussion.on}
            onChange={(event) => void postControl({ discussion: { on: event.target.checked } })}
          />
          <span className="soft"> Agents may wake each other by a mention</span>
        </label>
        {state.side && !state.side.closed && <CloseSideForm thread={thread} />}
        <RefusalMessage reason={refusal} />
      </fieldset>
    </section>
  );
}
