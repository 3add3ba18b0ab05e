import { useEffect, useRef, useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { moneySign } from '../../../data/money.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/field.tsx';
import { RadioCards } from '../../../ui/controls/radio-cards.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { Face } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { AUDIENCES, findAuditor, isAgent, timeLimitOptions } from '../panel/control-actions.ts';
import styles from './dialogs.module.css';
import { MAX_INSTRUCTIONS } from './limits.ts';
import { NEW_AUDITOR, NO_AUDITOR, readSettings, type SettingsForm, settingsControls } from './settings-form.ts';

interface ThreadSettingsProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  /** The participant whose instructions are wanted. */
  readonly about: string | undefined;
  onClose(): void;
}

const FORM = 'thread-settings';

/** Everything about how a thread works: who answers, limits, the auditor, instructions; saved together. */
export function ThreadSettings({ thread, state, about, onClose }: ThreadSettingsProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [form, setForm] = useState<SettingsForm>(() => readSettings(state));
  const update = (changes: Partial<SettingsForm>) => setForm((now) => ({ ...now, ...changes }));
  const controls = settingsControls(state, form);
  const instructions = useRef<HTMLElement>(null);
  useEffect(() => {
    if (about === undefined) return;
    const field = instructions.current?.querySelector<HTMLElement>(`[data-about="${CSS.escape(about)}"] textarea`);
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }, [about]);

  async function save(): Promise<void> {
    if (await attempt(() => thread.control(controls))) onClose();
  }

  return (
    <Dialog
      title="Thread settings"
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} kind="primary" disabled={busy || controls.length === 0}>
            Save
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} aria-label="Thread settings" onSubmit={handleSubmit(save)}>
        <WhoAnswers form={form} onChange={update} />
        <Limits state={state} form={form} onChange={update} />
        <AuditorFields state={state} form={form} onChange={update} />
        <section aria-label="Instructions" ref={instructions}>
          <h3>Instructions</h3>
          {Object.keys(form.instructions).length === 0 && (
            <p className={styles.note}>Agents you invite can have instructions here. Everyone can read them.</p>
          )}
          <div className={styles.list}>
            {Object.entries(form.instructions).map(([id, text]) => (
              <div key={id} className={styles.agent} data-about={id}>
                <Face id={id} />
                <TextArea
                  label={escapeBidi(id)}
                  rows={2}
                  dir="auto"
                  maxLength={MAX_INSTRUCTIONS}
                  placeholder="How it should work here"
                  value={text}
                  onChange={({ target }) => update({ instructions: { ...form.instructions, [id]: target.value } })}
                />
              </div>
            ))}
          </div>
        </section>
        <RefusalMessage reason={refusal} />
      </form>
    </Dialog>
  );
}

interface PartProps {
  readonly form: SettingsForm;
  onChange(changes: Partial<SettingsForm>): void;
}

function WhoAnswers({ form, onChange }: PartProps) {
  return (
    <section aria-label="Who answers">
      <h3>Who answers</h3>
      <RadioCards
        label="Who answers a message to everyone"
        value={form.audience}
        options={AUDIENCES.map(({ mode, name, means }) => ({ value: mode, label: name, hint: means }))}
        onChange={(audience) => onChange({ audience })}
      />
      <Switch
        label="Approve before posting"
        hint={
          form.isDrafting === undefined
            ? 'Some agents write drafts for you to post; others post directly.'
            : 'Agents draft, you post.'
        }
        checked={form.isDrafting === true}
        onChange={(isDrafting) => onChange({ isDrafting })}
      />
    </section>
  );
}

function Limits({ state, form, onChange }: PartProps & { readonly state: WireThreadState }) {
  return (
    <section aria-label="Limits and budget">
      <h3>Limits and budget</h3>
      <Switch
        label="Agents may wake each other"
        hint="An agent that another one mentions answers it."
        checked={form.isDiscussing}
        onChange={(isDiscussing) => onChange({ isDiscussing })}
      />
      <div className={styles.pair}>
        <TextField
          label="Replies of agents to agents"
          hint="in a row, then agents wait for a person"
          type="number"
          min={0}
          max={64}
          value={form.hops}
          onChange={({ target }) => onChange({ hops: target.value })}
        />
        <Select
          label="Agents may continue"
          hint="after a person’s last message"
          value={String(form.ttl)}
          options={timeLimitOptions(state).map(({ seconds, is: label }) => ({ value: String(seconds), label }))}
          onChange={(seconds) => onChange({ ttl: Number(seconds) })}
        />
        <TextField
          label={`Models pause at this cost, in ${moneySign()}`}
          hint="empty: no limit"
          type="number"
          min={0}
          step="any"
          value={form.money}
          onChange={({ target }) => onChange({ money: target.value })}
        />
        <TextField
          label="Models pause at this many tokens"
          hint="empty: no limit"
          type="number"
          min={0}
          value={form.tokens}
          onChange={({ target }) => onChange({ tokens: target.value })}
        />
      </div>
    </section>
  );
}

function AuditorFields({ state, form, onChange }: PartProps & { readonly state: WireThreadState }) {
  const auditor = findAuditor(state);
  const candidates = state.participants.filter(isAgent).filter(({ id }) => id !== auditor?.id);
  const hasAuditor = form.auditor !== NO_AUDITOR;
  return (
    <section aria-label="Auditor">
      <h3>Auditor</h3>
      <div className={styles.pair}>
        <Select
          label="Who audits"
          value={form.auditor}
          options={[
            { value: NO_AUDITOR, label: 'Nobody' },
            ...(auditor ? [{ value: auditor.id, label: auditor.id }] : []),
            { value: NEW_AUDITOR, label: auditor ? 'A new auditor' : 'The default auditor model' },
            ...candidates.map(({ id }) => ({ value: id, label: id })),
          ]}
          onChange={(next) => onChange({ auditor: next })}
        />
        {hasAuditor && (
          <TextField
            label="Audit after this many messages"
            hint="empty: only when asked"
            type="number"
            min={1}
            max={1000}
            value={form.auditEvery}
            onChange={({ target }) => onChange({ auditEvery: target.value })}
          />
        )}
      </div>
      {hasAuditor && (
        <TextArea
          label="Instructions of the auditor"
          rows={6}
          dir="auto"
          maxLength={MAX_INSTRUCTIONS}
          required
          value={form.auditSpec}
          onChange={({ target }) => onChange({ auditSpec: target.value })}
        />
      )}
    </section>
  );
}
