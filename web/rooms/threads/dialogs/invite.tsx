import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { WireAgent, WireModel, WireThreadState } from '../../../../src/client/index.ts';
import { personaProfile } from '../../../../src/core/threads/participants/persona.ts';
import type { Profile } from '../../../../src/core/threads/schema.ts';
import { usePersonas } from '../../../data/personas.ts';
import { client } from '../../../data/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/field.tsx';
import { RadioCards } from '../../../ui/controls/radio-cards.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { PersonaEditor } from '../../persona-editor.tsx';
import type { OpenThread } from '../data/thread.ts';
import styles from './dialogs.module.css';
import { BY_ID, describeChoices } from './invite-choices.tsx';
import { MAX_INSTRUCTIONS } from './limits.ts';
import { uniqueId } from './unique-id.ts';

interface InviteDialogProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  onClose(): void;
}

const FORM = 'invite';

/** Invites a persona, a model, a command-line agent, or anyone by id, with instructions and whether they draft first. */
export function InviteDialog({ thread, state, onClose }: InviteDialogProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [models, setModels] = useState<readonly WireModel[]>([]);
  const [agents, setAgents] = useState<readonly WireAgent[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [isDrafting, setDrafting] = useState(false);
  useEffect(() => {
    void attempt(() => client.models.list()).then((response) => response && setModels(response.models));
    void attempt(() => client.agents()).then((response) => response && setAgents(response.agents));
  }, [attempt]);
  const personas = usePersonas();
  const [isMaking, setMaking] = useState(false);
  const isById = chosen === BY_ID;
  const persona = personas.find(({ id }) => chosen === `persona ${id}`);

  async function invite(data: FormData): Promise<void> {
    if (chosen === undefined) return;
    const [kind, name] = splitChoice(chosen);
    const byId = readField(data, 'id');
    if (isById && byId === '') return;
    const taken = new Set(state.participants.map(({ id }) => id));
    const participant_id = persona?.id ?? (isById ? byId : uniqueId(name, taken));
    const runner: Profile = kind === 'model' ? { client: 'model', model: name } : { client: name };
    const profile: Profile = {
      ...(persona ? personaProfile(persona) : isById ? readProfile(data) : { kind: 'agent', ...runner }),
      ...(isDrafting && { posting: 'draft' }),
      ...(readField(data, 'instructions') !== '' && { instructions: readField(data, 'instructions') }),
    };
    const content = { invite: { participant_id, profile } };
    if (await attempt(() => thread.remote.post({ type: 'control', content }))) onClose();
  }

  if (isMaking)
    return <PersonaEditor onAdded={({ id }) => setChosen(`persona ${id}`)} onClose={() => setMaking(false)} />;
  return (
    <Dialog
      title="Invite"
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} kind="primary" disabled={busy || chosen === undefined}>
            Invite
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} aria-label="Invite" onSubmit={handleSubmit(invite)}>
        <section aria-label="Who">
          <RadioCards
            label="Whom to invite"
            value={chosen}
            options={describeChoices({ personas, models, agents, state })}
            onChange={setChosen}
          />
          {isById && <ProfileFields />}
          <p>
            <Button kind="quiet" icon={Plus} onClick={() => setMaking(true)}>
              New persona…
            </Button>
          </p>
        </section>
        <section aria-label="How it works here">
          {persona ? (
            <PersonaInstructions text={persona.instructions} />
          ) : (
            <TextArea
              name="instructions"
              label="Instructions"
              hint="Everyone in the thread can read them."
              rows={3}
              dir="auto"
              maxLength={MAX_INSTRUCTIONS}
              placeholder="How it should work here (optional)"
            />
          )}
          <Switch
            label="Approve before posting"
            hint="It drafts, you post."
            checked={isDrafting}
            onChange={setDrafting}
          />
        </section>
        <RefusalMessage reason={refusal} />
      </form>
    </Dialog>
  );
}

/** A persona brings its own; they are changed where personas are. */
function PersonaInstructions({ text = 'None.' }: { readonly text?: string | undefined }) {
  return (
    <div>
      <h3>Instructions</h3>
      <p className={styles.instructions} dir="auto">
        {escapeBidi(text)}
      </p>
    </div>
  );
}

function ProfileFields() {
  return (
    <div className={styles.pair}>
      <TextField
        name="id"
        label="ID"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus={true}
      />
      <TextField name="nickname" label="Nickname" autoComplete="off" dir="auto" />
      <TextField name="roles" label="Roles" hint="separated by commas" autoComplete="off" dir="auto" />
    </div>
  );
}

function splitChoice(chosen: string): readonly [string, string] {
  const at = chosen.indexOf(' ');
  return at < 0 ? [chosen, ''] : [chosen.slice(0, at), chosen.slice(at + 1)];
}

function readField(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}

function readProfile(data: FormData): Profile {
  const nickname = readField(data, 'nickname');
  const roles = readField(data, 'roles')
    .split(',')
    .map((role) => role.trim())
    .filter(Boolean);
  return { ...(nickname !== '' && { nickname }), ...(roles.length > 0 && { roles }) };
}
