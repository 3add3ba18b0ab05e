import { Upload } from 'lucide-react';
import { useState } from 'react';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Tabs } from '../../../ui/controls/tabs.tsx';
import { pickFiles } from '../../../ui/files.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { DiscussionLink } from '../../discussion-link.tsx';
import type { SettingsTab } from '../actions.ts';
import { EXPORT_FORMATS, exportLoom, importInto } from '../files.ts';
import { activeModels, type OpenLoom, toggleModel } from '../loom.ts';
import { modelId } from '../session/authors.ts';
import { GenerationFields } from './generation-fields.tsx';
import { KeyFields } from './key-fields.tsx';
import styles from './settings.module.css';

interface SettingsDialogProps {
  readonly loom: OpenLoom;
  readonly tab: SettingsTab;
  onClose(): void;
}

/** Everything that can be set for this loom, from one gear. */
export function SettingsDialog({ loom, tab: firstTab, onClose }: SettingsDialogProps) {
  const [tab, setTab] = useState(firstTab);
  return (
    <Dialog title="Loom settings" size="large" onClose={onClose}>
      <Tabs
        label="Loom settings"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'generation', label: 'Generation', content: <GenerationSettings loom={loom} /> },
          { value: 'keys', label: 'Keys', content: <KeyFields loom={loom} /> },
          { value: 'files', label: 'Import and export', content: <Files loom={loom} onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
}

function GenerationSettings({ loom }: { readonly loom: OpenLoom }) {
  const models = useStore(loom.models);
  useStore(loom.generationOptions);
  const active = activeModels(loom).map(({ name }) => name);
  return (
    <div className={styles.section}>
      <h3>Models</h3>
      {models.map(({ name, capabilities }) => (
        <Switch
          key={name}
          label={
            <span className={styles.model}>
              <Avatar id={modelId(name)} kind="model" size="small" />
              {escapeBidi(name)}
            </span>
          }
          {...(capabilities?.label === 'small' && { hint: 'A small model: fluent, not wise' })}
          checked={active.includes(name)}
          onChange={(isOn) => toggleModel(loom, name, isOn)}
        />
      ))}
      <h3>Each time</h3>
      <GenerationFields loom={loom} />
      <h3>This loom</h3>
      <p>
        <DiscussionLink id={loom.id} />
      </p>
    </div>
  );
}

function Files({ loom, onClose }: { readonly loom: OpenLoom; onClose(): void }) {
  async function pick(): Promise<void> {
    const files = await pickFiles();
    onClose();
    await importInto(loom, files);
  }
  return (
    <div className={styles.section}>
      <h3>Export</h3>
      <div className={styles.row}>
        {EXPORT_FORMATS.map(({ format, is: label }) => (
          <Button key={format} onClick={() => void exportLoom(loom, format)}>
            {label}
          </Button>
        ))}
      </div>
      <h3>Import</h3>
      <p className={styles.hint}>
        Looms of other programs, Markdown or plain text. You can also drop files on the text.
      </p>
      <div className={styles.row}>
        <Button icon={Upload} onClick={() => void pick()}>
          Import a loom or a text
        </Button>
      </div>
    </div>
  );
}
