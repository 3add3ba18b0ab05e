import { useEffect, useState } from 'react';
import type { WireAgent } from '../../../../src/client/index.ts';
import { client as server } from '../../../data/session.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { ThreadParticipant } from '../panel/control-actions.ts';
import styles from './dialogs.module.css';

interface PersonDialogProps {
  readonly participant: ThreadParticipant;
  onClose(): void;
}

/** What is known of a participant, for everyone to read. */
export function PersonDialog({ participant: { id, profile }, onClose }: PersonDialogProps) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['ID', id],
    ['Nickname', profile.nickname],
    ['Kind', profile.kind === 'human' ? 'A person' : profile.kind === 'agent' ? 'An agent' : profile.kind],
    ['Model', profile.model],
    ['Program', profile.client === 'model' ? undefined : profile.client],
    ['Roles', profile.roles?.join(', ')],
    ['Posting', profile.posting === 'draft' ? 'Drafts; a person posts' : undefined],
    ['Instructions', profile.instructions],
  ];
  const sandbox = useSandboxSentence(profile.client);
  return (
    <Dialog title={`About ${escapeBidi(id)}`} onClose={onClose}>
      <dl className={styles.facts}>
        {facts.map(
          ([name, value]) =>
            value && [
              <dt key={`${name} name`}>{name}</dt>,
              <dd key={name} dir="auto">
                {escapeBidi(value)}
              </dd>,
            ],
        )}
      </dl>
      {sandbox && <p className={styles.note}>{sandbox}</p>}
    </Dialog>
  );
}

/** For a participant whose client is a program: what that program can see of the workspace (I10). */
function useSandboxSentence(client: string | undefined): string | undefined {
  const [agents, setAgents] = useState<readonly WireAgent[]>([]);
  const isProgram = client !== undefined && client !== 'model';
  useEffect(() => {
    if (!isProgram) return;
    server.agents().then(
      (response) => setAgents(response.agents),
      // Without an answer, claim nothing.
      () => {},
    );
  }, [isProgram]);
  return agents.find(({ name }) => name === client)?.sandbox.sentence;
}
