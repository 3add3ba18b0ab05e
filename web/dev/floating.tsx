import { Archive, Copy, Ellipsis, Info, Pin, Reply, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { PersonaDialog } from '../rooms/persona-dialog.tsx';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '../ui/floating/menu.tsx';
import { Popover } from '../ui/floating/popover.tsx';
import { showToast } from '../ui/floating/toast.tsx';
import { Avatar } from '../ui/people/avatar.tsx';

export function Floating() {
  return (
    <div className="gallery-row">
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" kind="secondary" />}>
        <MenuItem icon={Reply} shortcut="R" onSelect={ignore}>
          Reply
        </MenuItem>
        <MenuItem icon={Copy} shortcut="C" onSelect={ignore}>
          Copy
        </MenuItem>
        <MenuItem icon={Info} disabled={true} onSelect={ignore}>
          Source
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Pin} onSelect={ignore}>
          Pin
        </MenuItem>
        <MenuItem icon={Archive} shortcut="E" onSelect={ignore}>
          Archive
        </MenuItem>
        <MenuItem icon={Trash2} danger={true} onSelect={ignore}>
          Remove
        </MenuItem>
      </Menu>
      <Menu trigger={<Button>Sage, Quill</Button>}>
        <MenuCheck checked={true} face={<Avatar id="sage" kind="model" size="small" />} onChange={ignore}>
          Sage
        </MenuCheck>
        <MenuCheck
          checked={false}
          face={<Avatar id="quill" kind="model" size="small" />}
          hint="A small model: fluent, not wise"
          onChange={ignore}
        >
          Quill
        </MenuCheck>
      </Menu>
      <Popover trigger={<Button>Open a popover</Button>} title="Sage">
        <p>Answers messages to everyone. 14 replies today, $0.05.</p>
      </Popover>
      <Button
        onClick={() =>
          showToast({ message: 'Archived “Seed swap, 17 May”.', action: { label: 'Undo', onPress: ignore } })
        }
      >
        Show a toast
      </Button>
      <Button
        onClick={() =>
          showToast({
            kind: 'failure',
            message: 'Quill stopped: Ollama is not running. Draft 5 is kept.',
            action: { label: 'Try again', onPress: ignore },
          })
        }
      >
        Show a failure
      </Button>
    </div>
  );
}

export function DialogExample() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className="gallery-row">
      <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      {open && (
        <Dialog
          title="Rename the thread"
          description="Everyone in the thread sees the new name."
          onClose={close}
          footer={
            <>
              <Button kind="quiet" onClick={close}>
                Cancel
              </Button>
              <Button kind="primary" onClick={close}>
                Rename
              </Button>
            </>
          }
        >
          <TextField label="Name" defaultValue="May newsletter" />
        </Dialog>
      )}
    </div>
  );
}

function ignore() {}

export function PersonaExample() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open the persona dialog</Button>
      {open && (
        <PersonaDialog models={['small', 'gpt-5-mini']} onSave={async () => {}} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
