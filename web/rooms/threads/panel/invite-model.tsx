import { useEffect, useRef, useState } from 'react';
import type { WireAgent, WireModel, WireThreadState } from '../../../../src/client/index.ts';
import { client } from '../../../data/session.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { MAX_INSTRUCTIONS } from './instructions.tsx';

interface InviteModelProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  onDone(): void;
}

/** The workspace's models and command-line agents; one click invites any of them. */
export function InviteModel({ thread, state, onDone }: InviteModelProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [models, setModels] = useState<readonly WireModel[]>();
  const [agents, setAgents] = useState<readonly WireAgent[]>();
  const [isDrafting, setDrafting] = useState(false);
  const [instructions, setInstructions] = useState('');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    void attempt(() => client.models.list()).then((response) => response && setModels(response.models));
    void attempt(() => client.agents()).then((response) => response && setAgents(response.agents));
  }, [attempt]);

  // A person who unfolds this section is about to choose a model.
  useEffect(() => {
    if (models && agents) list.current?.querySelector<HTMLElement>('button:enabled')?.focus();
  }, [models, agents]);

  async function invite(name: string, agent: { readonly client: string; readonly model?: string }): Promise<void> {
    const trimmed = instructions.trim();
    const profile = {
      ...{ kind: 'agent', ...agent },
      ...(isDrafting && { posting: 'draft' }),
      ...(trimmed !== '' && { instructions: trimmed }),
    } as const;
    const participant_id = uniqueId(name, new Set(state.participants.map(({ id }) => id)));
    const content = { invite: { participant_id, profile } };
    if (await attempt(() => thread.remote.post({ type: 'control', content }))) onDone();
  }

  return (
    <fieldset className="invite-model" data-part="models" aria-label="Invite a model or agent" disabled={busy}>
      <label className="instructions">
        <span className="soft">Instructions</span>
        <textarea
          rows={3}
          dir="auto"
          maxLength={MAX_INSTRUCTIONS}
          placeholder="How it should work here (optional)"
          value={instructions}
          onChange={(event) => setInstructions(event.target.value)}
        />
      </label>
      <ul ref={list}>
        {models?.map((model) => (
          <li key={model.name}>
            <button
              type="button"
              className="link"
              disabled={model.state.code !== 'ready'}
              onClick={() => void invite(model.name, { client: 'model', model: model.name })}
            >
              {escapeBidi(model.name)}
            </button>{' '}
            <span className="soft">{describeModel(model)}</span>
          </li>
        ))}
        {agents?.map(({ name, adapter, here, sandbox }) => (
          <li key={`program ${name}`}>
            <button type="button" className="link" disabled={!here} onClick={() => void invite(name, { client: name })}>
              {escapeBidi(name)}
            </button>{' '}
            <span className="soft">
              {here
                ? `a program on this machine (${adapter}). ${sandbox.sentence}`
                : 'its program is not on this machine'}
            </span>
          </li>
        ))}
      </ul>
      <label>
        <input type="checkbox" checked={isDrafting} onChange={(event) => setDrafting(event.target.checked)} />
        <span className="soft"> Approve before posting</span>
      </label>
      <RefusalMessage reason={refusal} />
    </fieldset>
  );
}

function describeModel({ name, model, provider, capabilities, state }: WireModel): string {
  if (state.code !== 'ready') return escapeBidi(state.sentence);
  const description = capabilities?.label === 'small' ? 'small, built in: it only tells stories' : (model ?? provider);
  return description === name ? provider : escapeBidi(description);
}

/** A participant id derived from the model's name that is not taken yet. */
export function uniqueId(name: string, existing: ReadonlySet<string>): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  const id = slug === '' || slug === 'all' || slug === 'system' ? `model-${slug}`.replace(/-$/, '') : slug;
  const names = new Set([...existing].map((each) => each.toLowerCase()));
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? id : `${id}-${count}`;
    if (!names.has(candidate)) return candidate;
  }
}
