import { useEffect, useRef, useState } from 'react';
import type { WireAgent, WireModel, WireThreadState } from '../../../../src/client/index.ts';
import { client } from '../../../data/session.ts';
import { Refused, useWish } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import type { Thread } from '../data/thread.ts';
import { LONGEST_INSTRUCTIONS } from './instructions.tsx';

interface InviteModelProps {
  readonly thread: Thread;
  readonly state: WireThreadState;
  onDone(): void;
}

/** The models and the command-line agents of the workspace, each one touch away from taking part. */
export function InviteModel({ thread, state, onDone }: InviteModelProps) {
  const { wish, busy, refusal } = useWish();
  const [models, setModels] = useState<readonly WireModel[]>();
  const [agents, setAgents] = useState<readonly WireAgent[]>();
  const [drafting, setDrafting] = useState(false);
  const [instructions, setInstructions] = useState('');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    void wish(() => client.models.list()).then((answer) => answer && setModels(answer.models));
    void wish(() => client.agents()).then((answer) => answer && setAgents(answer.agents));
  }, [wish]);

  // Whoever unfolds it is about to choose one.
  useEffect(() => {
    if (models && agents) list.current?.querySelector<HTMLElement>('button:enabled')?.focus();
  }, [models, agents]);

  async function invite(name: string, by: { readonly client: string; readonly model?: string }): Promise<void> {
    const asked = instructions.trim();
    const profile = {
      ...{ kind: 'agent', ...by },
      ...(drafting && { posting: 'draft' }),
      ...(asked !== '' && { instructions: asked }),
    } as const;
    const participant_id = freeId(name, new Set(state.participants.map(({ id }) => id)));
    const content = { invite: { participant_id, profile } };
    if (await wish(() => thread.remote.post({ type: 'control', content }))) onDone();
  }

  return (
    <fieldset className="invite-model" data-part="models" aria-label="Invite a model or agent" disabled={busy}>
      <label className="instructions">
        <span className="soft">Instructions</span>
        <textarea
          rows={3}
          dir="auto"
          maxLength={LONGEST_INSTRUCTIONS}
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
              {visible(model.name)}
            </button>{' '}
            <span className="soft">{aboutOf(model)}</span>
          </li>
        ))}
        {agents?.map(({ name, adapter, here, sandbox }) => (
          <li key={`program ${name}`}>
            <button type="button" className="link" disabled={!here} onClick={() => void invite(name, { client: name })}>
              {visible(name)}
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
        <input type="checkbox" checked={drafting} onChange={(event) => setDrafting(event.target.checked)} />
        <span className="soft"> it drafts, and I decide what is posted</span>
      </label>
      <Refused because={refusal} />
    </fieldset>
  );
}

function aboutOf({ name, model, provider, capabilities, state }: WireModel): string {
  if (state.code !== 'ready') return visible(state.sentence);
  const known = capabilities?.label === 'small' ? 'small, built in: it only tells stories' : (model ?? provider);
  return known === name ? provider : visible(known);
}

/** A participant's id that is like the model's name, and nobody's yet. */
export function freeId(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  const id = plain === '' || plain === 'all' || plain === 'system' ? `model-${plain}`.replace(/-$/, '') : plain;
  const names = new Set([...taken].map((each) => each.toLowerCase()));
  for (let count = 1; ; count++) {
    const next = count === 1 ? id : `${id}-${count}`;
    if (!names.has(next)) return next;
  }
}
