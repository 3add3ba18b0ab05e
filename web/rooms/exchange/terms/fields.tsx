import { useEffect, useState } from 'react';
import { client } from '../../../data/session.ts';
import type { Terms } from '../queries.ts';
import { NUMBERS } from './draft.ts';
import { ASKING, BUDGET_WORDS, POLICIES, RESTART_WORDS, TERM_WORDS, TEXTS, type TextTerm } from './labels.ts';

const OPEN: readonly TextTerm[] = ['question', 'mind_prompt'];

/** Every term as a field; what they hold is read from the form they stand in. */
export function TermsFields({ terms, before }: { readonly terms: Terms; readonly before: Terms }) {
  const models = useModels(terms);
  return (
    <>
      {TEXTS.map((name) => (
        <details key={name} className="text-term" open={OPEN.includes(name) || terms[name] !== before[name]}>
          <summary>{TERM_WORDS[name]}</summary>
          <textarea
            name={name}
            aria-label={TERM_WORDS[name]}
            dir="auto"
            rows={3}
            defaultValue={terms[name]}
            placeholder={name === 'question' ? 'The title, if you leave it empty' : undefined}
          />
        </details>
      ))}
      <details className="settings-terms">
        <summary>Minds, auditor, restarts, budget</summary>
        <Minds terms={terms} models={models} />
        <label>
          <span>{TERM_WORDS.parallel}</span>
          <input type="checkbox" name="parallel" defaultChecked={terms.parallel} />
        </label>
        <label>
          <span>{TERM_WORDS.cluster_feed}</span>
          <input type="checkbox" name="cluster_feed" defaultChecked={terms.cluster_feed} />
        </label>
        <label htmlFor="auditor-model">
          <span>{TERM_WORDS.auditor_model}</span>
          <ModelField
            id="auditor-model"
            name="auditor_model"
            model={terms.auditor_model}
            models={models}
            usual="the one chosen for auditors"
          />
        </label>
        <Choice name="policy" chosen={terms.policy} words={POLICIES} />
        <Choice name="ask_after_audit" chosen={terms.ask_after_audit} words={ASKING} />
        {NUMBERS.map((name) => (
          <Field key={name} name={name} label={TERM_WORDS[name]} value={terms[name]} />
        ))}
        <Field
          name="temperature"
          label={TERM_WORDS.temperature}
          value={terms.temperature}
          empty="as the model has it"
        />
        <fieldset>
          <legend className="soft">{TERM_WORDS.restart}</legend>
          {Object.entries(RESTART_WORDS).map(([name, label]) => (
            <Field
              key={name}
              name={`restart.${name}`}
              label={label}
              value={terms.restart[name as keyof Terms['restart']]}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend className="soft">{TERM_WORDS.budget}</legend>
          {Object.entries(BUDGET_WORDS).map(([name, label]) => (
            <Field
              key={name}
              name={`budget.${name}`}
              label={label}
              value={terms.budget[name as keyof Terms['budget']] ?? null}
              empty="no limit"
            />
          ))}
        </fieldset>
      </details>
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly empty?: string;
}

function Field({ name, label, value, empty }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input name={name} inputMode="decimal" defaultValue={value ?? ''} placeholder={empty} autoComplete="off" />
    </label>
  );
}

interface ChoiceProps {
  readonly name: 'policy' | 'ask_after_audit';
  readonly chosen: string;
  readonly words: Readonly<Record<string, string>>;
}

function Choice({ name, chosen, words }: ChoiceProps) {
  return (
    <label>
      <span>{TERM_WORDS[name]}</span>
      <select name={name} defaultValue={chosen}>
        {Object.entries(words).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Who thinks, in which order, and by which model. A mind whose name is emptied is left out. */
function Minds({ terms, models }: { readonly terms: Terms; readonly models: readonly string[] }) {
  const [minds, setMinds] = useState<readonly { readonly id: string; readonly model: string | null }[]>(terms.minds);
  return (
    <fieldset className="minds-term">
      <legend className="soft">{TERM_WORDS.minds}</legend>
      {minds.map(({ id, model }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <p key={i}>
          <input name="mind.id" aria-label={`Name of mind ${i + 1}`} defaultValue={id} autoComplete="off" />
          <ModelField
            name="mind.model"
            label={`Model of mind ${i + 1}`}
            model={model}
            models={models}
            usual="the one chosen for minds"
          />
        </p>
      ))}
      {minds.length < 16 && (
        <button
          type="button"
          className="act"
          onClick={() => setMinds([...minds, { id: freeName(minds), model: minds.at(-1)?.model ?? null }])}
        >
          One more mind
        </button>
      )}
    </fieldset>
  );
}

function freeName(minds: readonly { readonly id: string }[]): string {
  const taken = new Set(minds.map(({ id }) => id));
  let number = minds.length;
  while (taken.has(`mind_${number}`)) number++;
  return `mind_${number}`;
}

interface ModelFieldProps {
  readonly id?: string;
  readonly name: string;
  readonly label?: string;
  readonly model: string | null;
  readonly models: readonly string[];
  readonly usual: string;
}

function ModelField({ id, name, label, model, models, usual }: ModelFieldProps) {
  return (
    <select id={id} name={name} aria-label={label} defaultValue={model ?? ''} key={models.length}>
      <option value="">{usual}</option>
      {models.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

function useModels({ minds, auditor_model }: Terms): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([]);
  useEffect(() => {
    client.models.list().then(
      (answer) => setModels(answer.models.map(({ name }) => name)),
      () => {}, // Those in use can still be chosen.
    );
  }, []);
  const used = [...minds.map(({ model }) => model), auditor_model].filter((model) => model !== null);
  return [...new Set([...models, ...used])];
}
