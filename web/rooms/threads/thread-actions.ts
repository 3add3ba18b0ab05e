import type { WireThreadState } from '../../../src/client/index.ts';
import type { Control } from '../../../src/core/threads/schema.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import type { Thread } from './data/thread.ts';
import { actsOn, auditorIn, choicesOf, peopleOf, postingOf } from './panel/control-actions.ts';
import type { Folds } from './panel/sections.ts';

/** What the panel beside offers, for the palette: whether the panel is shown or not. */
export function useThreadActions(
  thread: Thread,
  state: WireThreadState | undefined,
  folds: Folds,
  post: (controls: readonly Control[]) => void,
): void {
  const presence = useStore(thread.presence);
  const { invited, others } = state ? peopleOf(state, presence) : { invited: [], others: [] };
  const auditor = state && auditorIn(state);
  const when = state !== undefined;
  const show = (name: string, part: string, may = when) => ({ name, act: () => folds.show(part), when: may });
  useActions('This thread', [
    show('Invite someone by id', 'invite'),
    show('Invite someone with a profile', 'profile'),
    show('Invite a model or agent', 'models'),
    show('Open a side channel', 'side'),
    show('Close the side channel', 'close', state?.side?.closed === false),
    { name: 'Audit now', act: () => post([{ prod: [auditor?.id ?? ''] }]), when: auditor !== undefined },
    show(auditor ? 'What the auditor goes by' : 'Put an auditor on it', 'auditor'),
    ...(state ? choicesOf(state) : []).map(({ whole, controls }) => doing(whole, () => post(controls))),
  ]);
  useActions(
    'People',
    [...invited, ...others].flatMap((person) => [
      doing(`About ${person.id}`, () => folds.show(`@${person.id}`)),
      ...actsOn(person, thread.me).map(({ whole, controls }) => doing(whole, () => post(controls))),
      ...[postingOf(person) ?? []].flat().map(({ whole, controls }) => doing(whole, () => post(controls))),
    ]),
  );
}

function doing(name: string, act: () => void) {
  return { name, act, many: true } as const;
}
