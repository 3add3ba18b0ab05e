import { useState } from 'react';
import { kept } from '../data/browser-storage.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { askPermission, permission } from '../inbox/desktop-notifications.ts';
import { setTheme, theme } from '../shell/theme.ts';
import { beginTour } from '../tour/tour.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { Anchor } from './anchor.tsx';

const THEMES = [
  { theme: 'system', is: 'as the system has it' },
  { theme: 'light', is: 'light' },
  { theme: 'dark', is: 'dark' },
] as const;

/** How this browser behaves: nothing of it is in the workspace. */
export function ThisBrowser({ onKeys }: { onKeys(): void }) {
  const [letters, setLetters] = useState(kept.letterKeys);
  const { wish, refusal } = useWish();
  const shown = useStore(theme);
  return (
    <Anchor id="browser" label="This browser">
      <h2>This browser</h2>
      <fieldset className="choice" aria-label="Light or dark">
        {THEMES.map(({ theme: each, is }) => (
          <label key={each}>
            <input type="radio" name="theme" checked={shown === each} onChange={() => setTheme(each)} /> {is}
          </label>
        ))}
      </fieldset>
      <Notifications />
      <p>
        <label>
          <input
            type="checkbox"
            checked={letters}
            onChange={(event) => {
              setLetters(event.target.checked);
              kept.keepLetterKeys(event.target.checked);
            }}
          />{' '}
          Single letters are keys
        </label>{' '}
        <button type="button" className="act" onClick={onKeys}>
          All keys
        </button>
      </p>
      <p className="soft">The keys of a loom are changed in its own settings, beside the text.</p>
      <p>
        <button type="button" className="act" onClick={() => void wish(beginTour)}>
          Take the tour
        </button>{' '}
        <span className="soft">through a sample, which is made if it is not here yet</span>
      </p>
      <p>
        <button type="button" className="act" onClick={() => void wish(signOut)}>
          Sign out
        </button>
      </p>
      <Refused because={refusal} />
    </Anchor>
  );
}

/** Asked for by a click and never before. */
function Notifications() {
  const may = useStore(permission);
  if (may === undefined) return <p className="soft">This browser cannot tell anything on the desktop.</p>;
  if (may === 'granted') {
    return <p className="soft">What needs you is told on the desktop while nobody looks at this page.</p>;
  }
  if (may === 'denied') {
    return (
      <p className="soft">
        Nothing is told on the desktop: this browser was told not to. Allow notifications for this address in it.
      </p>
    );
  }
  return (
    <p>
      <button type="button" className="act" onClick={() => void askPermission()}>
        Tell me on the desktop what needs me
      </button>
    </p>
  );
}
