import { SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { isDark, setTheme } from '../shell/theme.ts';
import { Button } from '../ui/controls/button.tsx';
import { Buttons, Choices, Fields, PlaceTabs } from './controls.tsx';
import { DialogExample, Floating, PersonaExample } from './floating.tsx';
import { Cards, Colours, Files, People, Statuses, Texts, Type, Writing } from './shown.tsx';

/** Every part in every state, on one page: for the people who build Heddle, and for the tests that photograph it. */
export function Gallery() {
  return (
    <main className="gallery">
      <header>
        <h1>Heddle parts</h1>
        <Button icon={SunMoon} onClick={switchTheme}>
          Switch theme
        </Button>
      </header>
      <p className="gallery-note">
        Every part in every state. A view has one primary button; this page has several to show them.
      </p>
      <Group title="Type">
        <Type />
      </Group>
      <Group title="Colour">
        <Colours />
      </Group>
      <Group title="Buttons">
        <Buttons />
      </Group>
      <Group title="Fields">
        <Fields />
      </Group>
      <Group title="Tabs and segments">
        <Choices />
        <PlaceTabs />
      </Group>
      <Group title="People">
        <People />
      </Group>
      <Group title="Status">
        <Statuses />
      </Group>
      <Group title="Floating">
        <Floating />
      </Group>
      <Group title="Dialog">
        <DialogExample />
        <PersonaExample />
      </Group>
      <Group title="Text">
        <Texts />
      </Group>
      <Group title="Writing">
        <Writing />
      </Group>
      <Group title="Files">
        <Files />
      </Group>
      <Group title="Cards and empty state">
        <Cards />
      </Group>
    </main>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function switchTheme() {
  setTheme(isDark.get() ? 'light' : 'dark');
}
