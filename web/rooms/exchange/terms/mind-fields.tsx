import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { TermValues } from '../../../../src/client/index.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import styles from './fields.module.css';
import { FormSelect, modelOptions } from './form-controls.tsx';
import { TERM_LABELS } from './labels.ts';

const MAX_MINDS = 16;

interface MindFieldsProps {
  readonly terms: TermValues;
  readonly models: readonly string[];
}

/** The minds with their faces, names and models, in the order in which they are asked. */
export function MindFields({ terms, models }: MindFieldsProps) {
  const [minds, setMinds] = useState(() => terms.minds.map((mind, key) => ({ ...mind, key })));
  const rename = (key: number, id: string) =>
    setMinds(minds.map((mind) => (mind.key === key ? { ...mind, id } : mind)));
  const add = () => {
    const key = Math.max(-1, ...minds.map((mind) => mind.key)) + 1;
    setMinds([...minds, { key, id: nextMindName(minds), model: minds.at(-1)?.model ?? null }]);
  };
  return (
    <fieldset className={styles.group}>
      <legend>{TERM_LABELS.minds}</legend>
      <ul className={styles.minds}>
        {minds.map(({ key, id, model }, i) => (
          <li key={key}>
            <Avatar id={id} kind="model" />
            <TextField
              name="mind.id"
              label={`Name of mind ${i + 1}`}
              value={id}
              onChange={(event) => rename(key, event.target.value)}
              maxLength={64}
              autoComplete="off"
            />
            <FormSelect
              name="mind.model"
              label={`Model of mind ${i + 1}`}
              value={model ?? ''}
              options={modelOptions(models)}
            />
            <IconButton
              icon={X}
              label={`Remove mind ${i + 1}`}
              disabled={minds.length === 1}
              onClick={() => setMinds(minds.filter((mind) => mind.key !== key))}
            />
          </li>
        ))}
      </ul>
      {minds.length < MAX_MINDS && (
        <p>
          <Button kind="quiet" icon={Plus} onClick={add}>
            Add a mind
          </Button>
        </p>
      )}
    </fieldset>
  );
}

function nextMindName(minds: readonly { readonly id: string }[]): string {
  const usedNames = new Set(minds.map(({ id }) => id));
  let number = minds.length;
  while (usedNames.has(`mind_${number}`)) number++;
  return `mind_${number}`;
}
