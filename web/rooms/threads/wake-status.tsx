import type { WirePresence, WireThreadState } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import { Person } from '../../ui/person.tsx';
import { Refused, useWish } from '../../ui/request.tsx';
import { visible } from '../../ui/text/visible.ts';
import { isWaiting, waitingWords } from '../model-wait.tsx';
import type { Thread } from './data/thread.ts';

const SHOWN = 4;

/** Who is to answer now, each with a way to stop it; and whom a limit stopped, with a way to go on (T16, T18). */
export function AtWork({ thread, state }: { readonly thread: Thread; readonly state: WireThreadState | undefined }) {
  const presence = useStore(thread.presence);
  const { wish, busy, refusal } = useWish();
  const asked = [...new Map(state?.wakes.map((wake) => [wake.participant, wake])).values()];
  const stopped = [...Map.groupBy(state?.stopped ?? [], ({ reason }) => reason)];
  const stop = (participant: string) => void wish(() => thread.remote.command('stop_answer', { participant }));
  const goOn = () => void wish(() => thread.remote.post({ type: 'control', content: { continue: true } }));
  useActions('This thread', [
    ...asked.map(({ participant }) => ({ name: `Stop ${participant}`, act: () => stop(participant) })),
    { name: 'Let them continue', act: goOn, when: stopped.length > 0 },
  ]);
  if (!state || (asked.length + stopped.length === 0 && !refusal)) return null;
  return (
    <section className="at-work" aria-label="At work">
      {asked.slice(0, SHOWN).map(({ participant, reason, behind, waiting }) => (
        <p key={participant}>
          <span title={reason}>
            <Person id={participant} />{' '}
            {waits(state, waiting) ?? doing(state, presence.get(participant), participant, behind)}
          </span>
          <button
            type="button"
            className="act"
            disabled={busy}
            aria-label={`Stop ${participant}`}
            onClick={() => stop(participant)}
          >
            Stop
          </button>
        </p>
      ))}
      {asked.length > SHOWN && <p className="soft">and {asked.length - SHOWN} more</p>}
      {stopped.map(([reason, wakes]) => (
        <p key={reason} className="stopped">
          <span>
            <Names ids={[...new Set(wakes.map(({ participant }) => participant))]} /> not woken:{' '}
            {visible(reason.replace(/; a human may let it continue$/, ''))}.
          </span>
        </p>
      ))}
      {stopped.length > 0 && (
        <p className="go-on">
          <button type="button" className="link" disabled={busy} onClick={goOn}>
            Let them continue
          </button>
        </p>
      )}
      <Refused because={refusal} />
    </section>
  );
}

function Names({ ids }: { readonly ids: readonly string[] }) {
  const rest = ids.length - SHOWN;
  return (
    <>
      {ids.slice(0, SHOWN).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Person id={id} />
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

/** Until its model is asked again. */
function waits(state: WireThreadState, waiting: WireThreadState['wakes'][number]['waiting']): string | undefined {
  return waiting && !state.paused && isWaiting(waiting) ? `is ${waitingWords(waiting)}` : undefined;
}

function doing(
  state: WireThreadState,
  presence: WirePresence | undefined,
  id: string,
  behind: string | undefined,
): string {
  if (presence?.state === 'thinking') return 'is thinking';
  if (state.paused) return 'answers when the thread resumes';
  if (behind && state.wakes.some(({ participant }) => participant === behind)) return `answers after ${behind}`;
  const { profile } = state.participants.find((participant) => participant.id === id) ?? {};
  // Whom no server runs answers when it comes by itself.
  if (!profile?.client && (!presence || presence.reach === 'none')) return 'is to answer, and is not here';
  return 'is to answer';
}
