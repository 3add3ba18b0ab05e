import { UserRound } from 'lucide-react';
import type { Persona, WireAgent, WireModel, WireThreadState } from '../../../../src/client/index.ts';
import type { RadioCard } from '../../../ui/controls/radio-cards.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { describePersona } from '../../persona-editor.tsx';

export const BY_ID = 'id';

interface Choices {
  readonly personas: readonly Persona[];
  readonly models: readonly WireModel[];
  readonly agents: readonly WireAgent[];
  readonly state: WireThreadState;
}

/** Everybody who can be invited, personas first. A value is what it is and its name or id. */
export function describeChoices({ personas, models, agents, state }: Choices): readonly RadioCard<string>[] {
  const isHere = (id: string) => state.participants.some((each) => each.id === id && each.invited);
  return [
    ...personas.map((persona) => ({
      value: `persona ${persona.id}`,
      label: escapeBidi(persona.name),
      hint: isHere(persona.id)
        ? 'Already here. Inviting it again gives it its current instructions.'
        : describePersona(persona),
      face: <Avatar id={persona.id} kind={persona.model === undefined ? 'client' : 'model'} />,
    })),
    ...models.map((model) => ({
      value: `model ${model.name}`,
      label: escapeBidi(model.name),
      hint: describeModel(model),
      face: <Avatar id={model.name} kind="model" />,
      disabled: model.state.code !== 'ready',
    })),
    ...agents.map(({ name, adapter, here, sandbox }) => ({
      value: `client ${name}`,
      label: escapeBidi(name),
      hint: here
        ? `A program on this machine (${adapter}). ${sandbox.sentence}`
        : 'Its program is not installed on this machine.',
      face: <Avatar id={name} kind="client" />,
      disabled: !here,
    })),
    {
      value: BY_ID,
      label: 'Someone else, by ID',
      hint: 'A person, or an agent that connects on its own.',
      face: <Glyph icon={UserRound} size={24} />,
    },
  ];
}

function describeModel({ name, model, provider, capabilities, state }: WireModel): string {
  if (state.code !== 'ready') return escapeBidi(state.sentence);
  const description = capabilities?.label === 'small' ? 'small, built in: only knows stories' : (model ?? provider);
  return description === name ? provider : escapeBidi(description);
}
