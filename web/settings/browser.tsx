import { useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { notificationPermission, requestPermission } from '../inbox/desktop-notifications.ts';
import { setTheme, theme } from '../shell/theme.ts';
import { beginTour } from '../tour/tour.ts';
import { Button } from '../ui/controls/button.tsx';
import { Segments } from '../ui/controls/segments.tsx';
import { Switch } from '../ui/controls/switch.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Row, Rows } from './rows.tsx';
import { SettingsSection } from './section.tsx';

const THEMES = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Settings of this browser; none of them is stored in the workspace. */
export function BrowserSettings({ onKeys }: { onKeys(): void }) {
  const [letterKeys, setLetterKeys] = useState(browserStorage.hasLetterKeys);
  const { attempt, refusal } = useAttempt();
  const currentTheme = useStore(theme);
  return (
    <SettingsSection id="browser" label="This browser" text="Kept in this browser, not in the workspace.">
      <Rows>
        <Row
          title="Theme"
          actions={<Segments label="Light or dark" value={currentTheme} options={THEMES} onChange={setTheme} />}
        />
        <NotificationRow />
        <Row
          title={
            <Switch
              label="Single-key shortcuts"
              checked={letterKeys}
              onChange={(isOn) => {
                setLetterKeys(isOn);
                browserStorage.setLetterKeys(isOn);
              }}
            />
          }
          text="The keys of a loom are in that loom’s own settings."
          actions={
            <Button shortcut="?" onClick={onKeys}>
              All keys
            </Button>
          }
        />
        <Row
          title="Tour"
          text="Five steps through a sample, which is added to the workspace if it does not exist yet."
          actions={<Button onClick={() => void attempt(beginTour)}>Take the tour</Button>}
        />
        <Row
          title="Signed in"
          text="Signing out ends the session in every tab of this browser."
          actions={<Button onClick={() => void attempt(signOut)}>Sign out</Button>}
        />
      </Rows>
      <RefusalMessage reason={refusal} />
    </SettingsSection>
  );
}

/** Requests permission only on a click. */
function NotificationRow() {
  const permission = useStore(notificationPermission);
  return (
    <Row
      title="Desktop notifications"
      text={notificationText(permission)}
      actions={
        permission === 'default' && (
          <Button onClick={() => void requestPermission()}>Turn on desktop notifications</Button>
        )
      }
    />
  );
}

function notificationText(permission: NotificationPermission | undefined): string {
  switch (permission) {
    case undefined:
      return 'This browser has no desktop notifications.';
    case 'granted':
      return 'On: you get a notification when something needs you while this page is in the background.';
    case 'denied':
      return 'Blocked in this browser. Allow notifications for this address in the browser’s settings.';
    case 'default':
      return 'Get a notification when something needs you while this page is in the background.';
  }
}
