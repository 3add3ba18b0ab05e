import { useEffect, useState } from 'react';
import type { TermValues } from '../../../../src/client/index.ts';
import { moneySign } from '../../../data/money.ts';
import { client } from '../../../data/session.ts';
import { TextArea, TextField } from '../../../ui/controls/field.tsx';
import styles from './fields.module.css';
import { FormSelect, FormSwitch, modelOptions } from './form-controls.tsx';
import { ASK_LABELS, BUDGET_LABELS, POLICY_LABELS, RESTART_LABELS, TERM_LABELS, TEXT_FIELDS } from './labels.ts';
import { MindFields } from './mind-fields.tsx';

interface TermsFieldsProps {
  readonly terms: TermValues;
  /** A text that differs from these terms is shown. */
  readonly before: TermValues;
}

/** The terms as one form, the usual ones first; the values are read from the surrounding form. */
export function TermsFields({ terms, before }: TermsFieldsProps) {
  const models = useModelNames(terms);
  const longTexts = TEXT_FIELDS.filter((name) => name !== 'question');
  return (
    <div className={styles.form}>
      <div className={styles.question}>
        <TextArea
          label={TERM_LABELS.question}
          name="question"
          dir="auto"
          rows={1}
          defaultValue={terms.question}
          placeholder="The title, if you leave it empty"
        />
      </div>
      <MindFields terms={terms} models={models} />
      <div className={styles.two}>
        <FormSelect
          name="auditor_model"
          label={TERM_LABELS.auditor_model}
          hint="Reads every thought and writes you a letter."
          value={terms.auditor_model ?? ''}
          options={modelOptions(models)}
        />
        <NumberField
          name="audit_every"
          label={TERM_LABELS.audit_every}
          value={terms.audit_every}
          hint="Every mind answers once per round."
        />
        <FormSelect
          name="ask_after_audit"
          label={TERM_LABELS.ask_after_audit}
          hint="You are the observer."
          value={terms.ask_after_audit}
          options={optionsOf(ASK_LABELS)}
        />
        <FormSelect name="policy" label={TERM_LABELS.policy} value={terms.policy} options={optionsOf(POLICY_LABELS)} />
      </div>
      <fieldset className={styles.group}>
        <legend>{TERM_LABELS.budget}</legend>
        <div className={styles.four}>
          {Object.entries(BUDGET_LABELS).map(([name, label]) => (
            <NumberField
              key={name}
              name={`budget.${name}`}
              label={name === 'money' ? `${label} (${moneySign()})` : label}
              value={terms.budget[name as keyof TermValues['budget']] ?? null}
              empty="No limit"
            />
          ))}
        </div>
      </fieldset>
      <details className={styles.more} open={longTexts.some((name) => terms[name] !== before[name])}>
        <summary>Instructions</summary>
        {longTexts.map((name) => (
          <TextArea key={name} label={TERM_LABELS[name]} name={name} dir="auto" rows={3} defaultValue={terms[name]} />
        ))}
      </details>
      <details className={styles.more}>
        <summary>Pool and restarts</summary>
        <FormSwitch name="parallel" label={TERM_LABELS.parallel} isOn={terms.parallel} />
        <FormSwitch name="cluster_feed" label={TERM_LABELS.cluster_feed} isOn={terms.cluster_feed} />
        <div className={styles.two}>
          {(['active_pool_size', 'thought_display_count', 'thought_display_chars'] as const).map((name) => (
            <NumberField key={name} name={name} label={TERM_LABELS[name]} value={terms[name]} />
          ))}
          <NumberField
            name="temperature"
            label={TERM_LABELS.temperature}
            value={terms.temperature}
            empty="Model’s default"
          />
        </div>
        <fieldset className={styles.group}>
          <legend>{TERM_LABELS.restart}</legend>
          <div className={styles.two}>
            {Object.entries(RESTART_LABELS).map(([name, label]) => (
              <NumberField
                key={name}
                name={`restart.${name}`}
                label={label}
                value={terms.restart[name as keyof TermValues['restart']]}
              />
            ))}
          </div>
        </fieldset>
      </details>
    </div>
  );
}

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly hint?: string;
  readonly empty?: string;
}

function NumberField({ name, label, value, hint, empty }: NumberFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      inputMode="decimal"
      defaultValue={value ?? ''}
      placeholder={empty}
      autoComplete="off"
    />
  );
}

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
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
