import { useEffect, useState } from 'react';
import { client } from '../data/session.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './about.module.css';
import { SettingsSection } from './section.tsx';

/** What is running here. */
export function AboutSection() {
  const [about, setAbout] = useState<{ readonly workspace: string; readonly version: string }>();
  useEffect(() => {
    let isCurrent = true;
    client.me().then(
      (answer) => isCurrent && setAbout(answer),
      () => {}, // The page says itself that the server does not answer.
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  const facts = [
    ['Heddle', about && `Version ${about.version}`],
    ['Workspace', about?.workspace],
    ['Address', location.origin],
  ] as const;
  return (
    <SettingsSection id="about" label="About">
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">
              {escapeBidi(value ?? '…')} {name === 'Address' && <CopyButton text={location.origin} />}
            </dd>
          </div>
        ))}
        <div>
          <dt>API</dt>
          <dd>
            <a href="/docs">API reference</a>
          </dd>
        </div>
      </dl>
    </SettingsSection>
  );
}
