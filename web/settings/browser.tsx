import { useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { notificationPermission, requestPermission } from '../inbox/desktop-notifications.ts';
import { setTheme, theme } from '../shell/theme.ts';
import { beginTour } from '../tour/tour.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { SettingsSection } from './section.tsx';

const THEMES = [
  { theme: 'system', is: 'Match system' },
  { theme: 'light', is: 'light' },
  { theme: 'dark', is: 'dark' },
] as const;

/** Settings of this browser; none of them is stored in the workspace. */
export function BrowserSettings({ onKeys }: { onKeys(): void }) {
  const [letterKeys, setLetterKeys] = useState(browserStorage.hasLetterKeys);
  const { attempt, refusal } = useAttempt();
  const currentTheme = useStore(theme);
  return (
    <SettingsSection id="browser" label="This browser">
      <h2>This browser</h2>
      <fieldset className="choice" aria-label="Light or dark">
        {THEMES.map(({ theme: option, is: label }) => (
          <label key={option}>
            <input type="radio" name="theme" checked={currentTheme === option} onChange={() => setTheme(option)} />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <NotificationSetting />
      <p>
        <label>
          <input
            type="checkbox"
            checked={letterKeys}
            onChange={(event) => {
              setLetterKeys(event.target.checked);
              browserStorage.setLetterKeys(event.target.checked);
            }}
          />{' '}
          Single-key shortcuts
        </label>{' '}
        <ActionButton onClick={onKeys}>All keys</ActionButton>
      </p>
      <p className="soft">The keys of a loom are changed in its own settings, beside the text.</p>
      <p>
        <ActionButton onClick={() => void attempt(beginTour)}>Take the tour</ActionButton>{' '}
        <span className="soft">through a sample, which is made if it is not here yet</span>
      </p>
      <p>
        <ActionButton onClick={() => void attempt(signOut)}>Sign out</ActionButton>
      </p>
      <RefusalMessage reason={refusal} />
    </SettingsSection>
  );
}

/** Requests permission only on a click. */
function NotificationSetting() {
  const permissionState = useStore(notificationPermission);
  if (permissionState === undefined) return <p className="soft">This browser cannot tell anything on the desktop.</p>;
  if (permissionState === 'granted') {
    return <p className="soft">What needs you is told on the desktop while nobody looks at this page.</p>;
  }
  if (permissionState === 'denied') {
    return (
      <p className="soft">
        Nothing is told on the desktop: this browser was told not to. Allow notifications for this address in it.
      </p>
    );
  }
  return (
    <p>
      <ActionButton onClick={() => void requestPermission()}>Turn on desktop notifications</ActionButton>
    </p>
  );
}
