import { ChevronDown } from 'lucide-react';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu, MenuCheck } from '../../../ui/floating/menu.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { activeModels, type OpenLoom, toggleModel } from '../loom.ts';
import { modelId } from '../session/authors.ts';
import styles from './bar.module.css';

const SMALL_MODEL = 'A small model: fluent, not wise';

/** The models that write; several share the continuations. */
export function ModelMenu({ loom }: { readonly loom: OpenLoom }) {
  const models = useStore(loom.models);
  useStore(loom.generationOptions);
  useStore(loom.replica.loom);
  const active = activeModels(loom).map(({ name }) => name);

  const names = active.map((name) => escapeBidi(name)).join(', ');
  return (
    <Menu
      trigger={
        <Button kind="quiet" aria-label={`Models: ${names}`} className={styles.models}>
          {active.slice(0, 3).map((name) => (
            <Avatar key={name} id={modelId(name)} kind="model" size="small" />
          ))}
          <span className={`${styles.wide} ${styles.names}`}>{names}</span>
          <Glyph icon={ChevronDown} size={14} />
        </Button>
      }
    >
      {models.map(({ name, capabilities }) => (
        <MenuCheck
          key={name}
          checked={active.includes(name)}
          face={<Avatar id={modelId(name)} kind="model" size="small" />}
          hint={capabilities?.label === 'small' ? SMALL_MODEL : undefined}
          onChange={(isOn) => toggleModel(loom, name, isOn)}
        >
          {escapeBidi(name)}
        </MenuCheck>
      ))}
    </Menu>
  );
}
