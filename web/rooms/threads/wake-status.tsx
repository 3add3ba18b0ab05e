import type { WirePresence, WireThreadState } from '../../../src/client/index.ts';
import { isWaiting } from '../../../src/core/runs/wait.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Person } from '../../ui/person.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { modelWaitText } from '../model-wait.tsx';
import type { OpenThread } from './data/thread.ts';

const MAX_SHOWN = 4;

/**
 * Participants about to answer, each with a stop button; and those a limit stopped, with a button
 * to continue (T16, T18).
 */
export function WakeStatus({
  thread,
  state,
}: {
  readonly thread: OpenThread;
  readonly state: WireThreadState | undefined;
}) {
  const presence = useStore(thread.presence);
  const { attempt, busy, refusal } = useAttempt();
  const pendingWakes = [...new Map(state?.wakes.map((wake) => [wake.participant, wake])).values()];
  const stoppedGroups = [...Map.groupBy(state?.stopped ?? [], ({ reason }) => reason)];
  const stopAnswer = (participant: string) => void attempt(() => thread.remote.command('stop_answer', { participant }));
  const continueWakes = () => void attempt(() => thread.remote.post({ type: 'control', content: { continue: true } }));
  useActions('This thread', [
    ...pendingWakes.map(({ participant }) => ({ name: `Stop ${participant}`, act: () => stopAnswer(participant) })),
    { name: 'Let them continue', act: continueWakes, when: stoppedGroups.length > 0 },
  ]);
  if (!state || (pendingWakes.length + stoppedGroups.length === 0 && !refusal)) return null;
  return (
    <section className="at-work" aria-label="At work">
      {pendingWakes.slice(0, MAX_SHOWN).map(({ participant, reason, behind, waiting }) => (
        <p key={participant}>
          <span title={reason}>
            <Person id={participant} />{' '}
            {waitingText(state, waiting) ?? statusText(state, presence.get(participant), participant, behind)}
          </span>
          <ActionButton disabled={busy} aria-label={`Stop ${participant}`} onClick={() => stopAnswer(participant)}>
            Stop
          </ActionButton>
        </p>
      ))}
      {pendingWakes.length > MAX_SHOWN && <p className="soft">and {pendingWakes.length - MAX_SHOWN} more</p>}
      {stoppedGroups.map(([reason, wakes]) => (
        <p key={reason} className="stopped">
          <span>
            <PersonList ids={[...new Set(wakes.map(({ participant }) => participant))]} /> not woken:{' '}
            {escapeBidi(reason.replace(/; a human may let it continue$/, ''))}.
          </span>
        </p>
      ))}
      {stoppedGroups.length > 0 && (
        <p className="go-on">
          <button type="button" className="link" disabled={busy} onClick={continueWakes}>
            Let them continue
          </button>
        </p>
      )}
      <RefusalMessage reason={refusal} />
    </section>
  );
}

function PersonList({ ids }: { readonly ids: readonly string[] }) {
  const rest = ids.length - MAX_SHOWN;
  return (
    <>
      {ids.slice(0, MAX_SHOWN).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Person id={id} />
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

/** Until when the wake waits for its model. */
function waitingText(state: WireThreadState, waiting: WireThreadState['wakes'][number]['waiting']): string | undefined {
  return waiting && !state.paused && isWaiting(waiting, Date.now()) ? `is ${modelWaitText(waiting)}` : undefined;
}

function statusText(
  state: WireThreadState,
  presence: WirePresence | undefined,
  id: string,
  behind: string | undefined,
): string {
  if (presence?.state === 'thinking') return 'is thinking';
  if (state.paused) return 'answers when the thread resumes';
  if (behind && state.wakes.some(({ participant }) => participant === behind)) return `answers after ${behind}`;
  const { profile } = state.participants.find((participant) => participant.id === id) ?? {};
  // A participant that no server runs answers when it connects.
  if (!profile?.client && (!presence || presence.reach === 'none')) return 'is to answer, and is not here';
  return 'is to answer';
}
