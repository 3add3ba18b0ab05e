import type { WireThreadState } from '../../../src/client/index.ts';
import type { Control } from '../../../src/core/threads/schema.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import type { OpenThread } from './data/thread.ts';
import {
  findAuditor,
  participantActions,
  postingAction,
  settingActions,
  splitParticipants,
} from './panel/control-actions.ts';
import type { PanelSections } from './panel/sections.ts';

/** The panel's actions for the palette, whether or not the panel is shown. */
export function useThreadActions(
  thread: OpenThread,
  state: WireThreadState | undefined,
  sections: PanelSections,
  post: (controls: readonly Control[]) => void,
): void {
  const presence = useStore(thread.presence);
  const { invited, others } = state ? splitParticipants(state, presence) : { invited: [], others: [] };
  const auditor = state && findAuditor(state);
  const when = state !== undefined;
  const showSection = (name: string, part: string, isEnabled = when) => ({
    name,
    act: () => sections.show(part),
    when: isEnabled,
  });
  useActions('This thread', [
    showSection('Invite someone by id', 'invite'),
    showSection('Invite someone with a profile', 'profile'),
    showSection('Invite a model or agent', 'models'),
    showSection('Open a side channel', 'side'),
    showSection('Close the side channel', 'close', state?.side?.closed === false),
    { name: 'Audit now', act: () => post([{ prod: [auditor?.id ?? ''] }]), when: auditor !== undefined },
    showSection(auditor ? 'What the auditor goes by' : 'Put an auditor on it', 'auditor'),
    ...(state ? settingActions(state) : []).map(({ title, controls }) => searchOnlyAction(title, () => post(controls))),
  ]);
  useActions(
    'People',
    [...invited, ...others].flatMap((person) => [
      searchOnlyAction(`About ${person.id}`, () => sections.show(`@${person.id}`)),
      ...participantActions(person, thread.me).map(({ title, controls }) =>
        searchOnlyAction(title, () => post(controls)),
      ),
      ...[postingAction(person) ?? []]
        .flat()
        .map(({ title, controls }) => searchOnlyAction(title, () => post(controls))),
    ]),
  );
}

function searchOnlyAction(name: string, act: () => void) {
  return { name, act, many: true } as const;
}
