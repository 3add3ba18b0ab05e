import { Check, Copy, Info, PanelRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink, IconButton } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/controls/checkbox.tsx';
import { TextArea, TextField } from '../ui/controls/field.tsx';
import { LinkTabs } from '../ui/controls/link-tabs.tsx';
import { PlainInput } from '../ui/controls/plain-field.tsx';
import { RadioCards } from '../ui/controls/radio-cards.tsx';
import { Segments } from '../ui/controls/segments.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Switch } from '../ui/controls/switch.tsx';
import { Tabs } from '../ui/controls/tabs.tsx';

const KINDS = ['primary', 'secondary', 'quiet'] as const;

export function Buttons() {
  return (
    <>
      {KINDS.map((kind) => (
        <div key={kind} className="gallery-row">
          <span className="gallery-label">{kind}</span>
          <Button kind={kind} icon={Check} shortcut="Enter">
            Accept
          </Button>
          <Button kind={kind}>Word only</Button>
          <Button kind={kind} disabled={true}>
            Disabled
          </Button>
        </div>
      ))}
      <div className="gallery-row">
        <span className="gallery-label">icon</span>
        <IconButton icon={Copy} label="Copy" shortcut="C" />
        <IconButton icon={Info} label="Source" shortcut="I" kind="secondary" />
        <IconButton icon={PanelRight} label="People" aria-pressed={true} />
        <ButtonLink href="#buttons">A link</ButtonLink>
        <Button icon={Trash2} danger={true}>
          Delete
        </Button>
      </div>
    </>
  );
}

const MODELS = [
  { value: 'small', label: 'small', hint: 'Inside Heddle, for trying things out' },
  { value: 'qwen3:8b', label: 'qwen3:8b', hint: 'On this computer' },
  { value: 'sonnet', label: 'claude-sonnet-4-5', hint: 'Anthropic' },
];

export function PlaceTabs() {
  return (
    <LinkTabs
      label="Kinds"
      tabs={[
        { href: '#all', label: 'All', count: 15, isCurrent: true },
        { href: '#threads', label: 'Threads', count: 6, isCurrent: false },
      ]}
    />
  );
}

export function Fields() {
  const [model, setModel] = useState('qwen3:8b');
  const [approve, setApprove] = useState(true);
  const [shortcuts, setShortcuts] = useState(false);
  return (
    <div className="gallery-columns">
      <TextField label="Display name" placeholder="Sage" hint="Shown beside its messages." />
      <PlainInput aria-label="Filter by title" placeholder="Filter by title" />
      <TextField label="Filled" defaultValue="Maya Okafor" />
      <TextField label="API key" defaultValue="expired" error="Anthropic rejected this key (401). Paste a new one." />
      <Select label="Model" value={model} options={MODELS} onChange={setModel} />
      <Select label="Model, without its label" isLabelHidden value={model} options={MODELS} onChange={setModel} />
      <div>
        <Checkbox label="Dialogues" defaultChecked={true} />
        <Checkbox label="Audits" />
        <Switch label="Approve before posting" checked={approve} onChange={setApprove} />
        <Switch
          label="Single-key shortcuts"
          hint="Press ? to see them all."
          checked={shortcuts}
          onChange={setShortcuts}
        />
      </div>
      <TextArea label="Note" defaultValue="Bring the folding tables." />
    </div>
  );
}

export function Choices() {
  const [tab, setTab] = useState<'all' | 'threads' | 'looms'>('all');
  const [way, setWay] = useState<'inline' | 'side'>('inline');
  const [answering, setAnswering] = useState<'all' | 'named' | 'nobody'>('all');
  return (
    <>
      <Tabs
        label="Kinds"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'all', label: 'All', count: 10, content: 'Everything.' },
          { value: 'threads', label: 'Threads', count: 6, content: 'Threads only.' },
          { value: 'looms', label: 'Looms', count: 4, content: 'Looms only.' },
        ]}
      />
      <div className="gallery-row">
        <Segments
          label="How to compare"
          value={way}
          onChange={setWay}
          options={[
            { value: 'inline', label: 'Inline' },
            { value: 'side', label: 'Side by side' },
          ]}
        />
      </div>
      <RadioCards
        label="Who answers"
        value={answering}
        options={[
          { value: 'all', label: 'Every agent', hint: 'All agents answer, one after the other.' },
          { value: 'named', label: 'Only when mentioned', hint: 'Nobody answers a message to everyone.' },
          { value: 'nobody', label: 'Nobody', hint: 'No agent is here.', disabled: true },
        ]}
        onChange={setAnswering}
      />
    </>
  );
}
