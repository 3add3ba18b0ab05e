import type { WireThreadState } from '../../../src/client/index.ts';
import { personaProfile } from '../../../src/core/threads/participants/persona.ts';
import type { Control } from '../../../src/core/threads/schema.ts';
import { usePersonas } from '../../data/personas.ts';
import { useStore } from '../../data/store.ts';
import { useActions } from '../../shell/actions.ts';
import type { OpenThread } from './data/thread.ts';
import type { ThreadDialog } from './dialogs/open-dialog.ts';
import {
  findAuditor,
  participantActions,
  postingAction,
  settingActions,
  splitParticipants,
} from './panel/control-actions.ts';

/** The panel's actions for the palette, whether or not the panel is shown. */
export function useThreadActions(
  thread: OpenThread,
  state: WireThreadState | undefined,
  onDialog: (dialog: ThreadDialog) => void,
  post: (controls: readonly Control[]) => void,
): void {
  const presence = useStore(thread.presence);
  const personas = usePersonas();
  const { members, others } = state ? splitParticipants(state, presence, thread.me) : { members: [], others: [] };
  const auditor = state && findAuditor(state);
  const when = state !== undefined;
  const opens = (name: string, dialog: ThreadDialog, isEnabled = when) => ({
    name,
    act: () => onDialog(dialog),
    when: isEnabled,
  });
  useActions('This thread', [
    opens('Invite someone', { kind: 'invite' }),
    opens('Thread settings', { kind: 'settings' }),
    opens('Open a side channel', { kind: 'side' }),
    opens('Close the side channel', { kind: 'close-side' }, state?.side?.closed === false),
    { name: 'Audit now', act: () => post([{ prod: [auditor?.id ?? ''] }]), when: auditor !== undefined },
    ...personas.map((persona) =>
      searchOnlyAction(`Invite ${persona.name}`, () =>
        post([{ invite: { participant_id: persona.id, profile: personaProfile(persona) } }]),
      ),
    ),
    ...(state ? settingActions(state) : []).map(({ title, controls }) => searchOnlyAction(title, () => post(controls))),
  ]);
  useActions(
    'People',
    // Somebody who types "mute" means others first.
    [
      ...members.filter(({ id }) => id !== thread.me),
      ...others,
      ...members.filter(({ id }) => id === thread.me),
    ].flatMap((person) => [
      searchOnlyAction(`About ${person.id}`, () => onDialog({ kind: 'person', id: person.id })),
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
