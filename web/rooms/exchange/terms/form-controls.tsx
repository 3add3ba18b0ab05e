import { useEffect, useRef, useState } from 'react';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { DEFAULT_MODEL_LABEL } from './labels.ts';

interface FormSelectProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A select whose value is part of the form around it. */
export function FormSelect({ name, label, hint, value: initial, options }: FormSelectProps) {
  const [value, setValue] = useState(initial);
  return (
    <div>
      <Select label={label} {...(hint && { hint })} value={value} options={options} onChange={setValue} />
      <HiddenValue name={name} value={value} />
    </div>
  );
}

interface FormSwitchProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
}

/** A switch whose value is part of the form around it. */
export function FormSwitch({ name, label, hint, isOn: initial }: FormSwitchProps) {
  const [isOn, setOn] = useState(initial);
  return (
    <div>
      <Switch label={label} {...(hint && { hint })} checked={isOn} onChange={setOn} />
      <HiddenValue name={name} value={isOn ? 'on' : ''} />
    </div>
  );
}

/** Tells the form around it when the value changes, as a field that one types in does. */
function HiddenValue({ name, value }: { readonly name: string; readonly value: string }) {
  const field = useRef<HTMLInputElement>(null);
  const reported = useRef(value);
  useEffect(() => {
    if (reported.current === value) return;
    reported.current = value;
    field.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [value]);
  return <input ref={field} type="hidden" name={name} value={value} />;
}

export function modelOptions(models: readonly string[]) {
  return [{ value: '', label: DEFAULT_MODEL_LABEL }, ...models.map((value) => ({ value, label: value }))];
}
