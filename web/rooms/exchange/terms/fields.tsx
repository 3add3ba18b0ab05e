import { useEffect, useState } from 'react';
import type { TermValues } from '../../../../src/client/index.ts';
import { client } from '../../../data/session.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { NUMBER_FIELDS } from './draft.ts';
import {
  ASK_LABELS,
  BUDGET_LABELS,
  POLICY_LABELS,
  RESTART_LABELS,
  TERM_LABELS,
  TEXT_FIELDS,
  type TextTerm,
} from './labels.ts';

const OPEN_FIELDS: readonly TextTerm[] = ['question', 'mind_prompt'];

/** One field per term; the values are read from the surrounding form. */
export function TermsFields({ terms, before }: { readonly terms: TermValues; readonly before: TermValues }) {
  const models = useModelNames(terms);
  return (
    <>
      {TEXT_FIELDS.map((name) => (
        <details key={name} className="text-term" open={OPEN_FIELDS.includes(name) || terms[name] !== before[name]}>
          <summary>{TERM_LABELS[name]}</summary>
          <textarea
            name={name}
            aria-label={TERM_LABELS[name]}
            dir="auto"
            rows={3}
            defaultValue={terms[name]}
            placeholder={name === 'question' ? 'The title, if you leave it empty' : undefined}
          />
        </details>
      ))}
      <details className="settings-terms">
        <summary>Minds, auditor, restarts, budget</summary>
        <MindFields terms={terms} models={models} />
        <label>
          <span>{TERM_LABELS.parallel}</span>
          <input type="checkbox" name="parallel" defaultChecked={terms.parallel} />
        </label>
        <label>
          <span>{TERM_LABELS.cluster_feed}</span>
          <input type="checkbox" name="cluster_feed" defaultChecked={terms.cluster_feed} />
        </label>
        <label htmlFor="auditor-model">
          <span>{TERM_LABELS.auditor_model}</span>
          <ModelSelect
            id="auditor-model"
            name="auditor_model"
            model={terms.auditor_model}
            models={models}
            defaultLabel="the one chosen for auditors"
          />
        </label>
        <SelectField name="policy" selected={terms.policy} options={POLICY_LABELS} />
        <SelectField name="ask_after_audit" selected={terms.ask_after_audit} options={ASK_LABELS} />
        {NUMBER_FIELDS.map((name) => (
          <NumberField key={name} name={name} label={TERM_LABELS[name]} value={terms[name]} />
        ))}
        <NumberField
          name="temperature"
          label={TERM_LABELS.temperature}
          value={terms.temperature}
          empty="as the model has it"
        />
        <fieldset>
          <legend className="soft">{TERM_LABELS.restart}</legend>
          {Object.entries(RESTART_LABELS).map(([name, label]) => (
            <NumberField
              key={name}
              name={`restart.${name}`}
              label={label}
              value={terms.restart[name as keyof TermValues['restart']]}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend className="soft">{TERM_LABELS.budget}</legend>
          {Object.entries(BUDGET_LABELS).map(([name, label]) => (
            <NumberField
              key={name}
              name={`budget.${name}`}
              label={label}
              value={terms.budget[name as keyof TermValues['budget']] ?? null}
              empty="no limit"
            />
          ))}
        </fieldset>
      </details>
    </>
  );
}

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly empty?: string;
}

function NumberField({ name, label, value, empty }: NumberFieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input name={name} inputMode="decimal" defaultValue={value ?? ''} placeholder={empty} autoComplete="off" />
    </label>
  );
}

interface SelectFieldProps {
  readonly name: 'policy' | 'ask_after_audit';
  readonly selected: string;
  readonly options: Readonly<Record<string, string>>;
}

function SelectField({ name, selected, options }: SelectFieldProps) {
  return (
    <label>
      <span>{TERM_LABELS[name]}</span>
      <select name={name} defaultValue={selected}>
        {Object.entries(options).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The minds, their order and their models. Emptying a mind's name removes it. */
function MindFields({ terms, models }: { readonly terms: TermValues; readonly models: readonly string[] }) {
  const [minds, setMinds] = useState<readonly { readonly id: string; readonly model: string | null }[]>(terms.minds);
  return (
    <fieldset className="minds-term">
      <legend className="soft">{TERM_LABELS.minds}</legend>
      {minds.map(({ id, model }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <p key={i}>
          <input name="mind.id" aria-label={`Name of mind ${i + 1}`} defaultValue={id} autoComplete="off" />
          <ModelSelect
            name="mind.model"
            label={`Model of mind ${i + 1}`}
            model={model}
            models={models}
            defaultLabel="the one chosen for minds"
          />
        </p>
      ))}
      {minds.length < 16 && (
        <ActionButton
          onClick={() => setMinds([...minds, { id: nextMindName(minds), model: minds.at(-1)?.model ?? null }])}
        >
          One more mind
        </ActionButton>
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

interface ModelSelectProps {
  readonly id?: string;
  readonly name: string;
  readonly label?: string;
  readonly model: string | null;
  readonly models: readonly string[];
  readonly defaultLabel: string;
}

function ModelSelect({ id, name, label, model, models, defaultLabel }: ModelSelectProps) {
  return (
    <select id={id} name={name} aria-label={label} defaultValue={model ?? ''} key={models.length}>
      <option value="">{defaultLabel}</option>
      {models.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

function useModelNames({ minds, auditor_model }: TermValues): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([]);
  useEffect(() => {
    client.models.list().then(
      (response) => setModels(response.models.map(({ name }) => name)),
      () => {}, // Models in use can still be selected.
    );
  }, []);
  const usedModels = [...minds.map(({ model }) => model), auditor_model].filter((model) => model !== null);
  return [...new Set([...models, ...usedModels])];
}
