import { Check, ListTodo, Users } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import styles from './composer.module.css';

export const EVERYONE = 'all';

interface RecipientMenuProps {
  readonly to: string;
  readonly others: readonly string[];
  readonly isTask: boolean;
  onTo(id: string): void;
  onTask(isTask: boolean): void;
}

/** To whom the message goes, and whether as a task. */
export function RecipientMenu({ to, others, isTask, onTo, onTask }: RecipientMenuProps) {
  const isToAll = to === EVERYONE;
  return (
    <Menu
      trigger={
        <Button kind="quiet" {...(isToAll && { icon: Users })} className={styles.to}>
          <span className="unseen">To whom: </span>
          {!isToAll && <Face id={to} size="small" />}
          {isToAll ? 'Everyone' : <Name id={to} />}
          {!isToAll && isTask && ', as a task'}
        </Button>
      }
    >
      {!isToAll && (
        <>
          <MenuItem icon={isTask ? Check : ListTodo} onSelect={() => onTask(!isTask)}>
            As a task
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={Users} onSelect={() => onTo(EVERYONE)}>
        Everyone
      </MenuItem>
      {others.map((id) => (
        <MenuItem key={id} onSelect={() => onTo(id)}>
          <span className={styles.faces}>
            <Face id={id} size="small" />
            <Name id={id} />
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
