import { statSync } from 'node:fs';
import { personalSettings, readSettings, type Settings } from './settings.ts';

/** Settings as they are now: the files are looked at whenever someone asks, and read again when they have changed. */
export interface SettingsSource {
  current(): Settings;
  /** What is wrong with the files as they are now; what they said before still holds then. */
  problem(): string | undefined;
}

/** Throws when the files cannot be read at first; `tell` hears, once, what is wrong with them later. */
export function openSettings(
  path: string,
  personal: string = personalSettings(),
  tell: (problem: string) => void = () => {},
): SettingsSource {
  let seen = stateOf(path, personal);
  let settings = readSettings(path, personal);
  let problem: string | undefined;

  function current(): Settings {
    const now = stateOf(path, personal);
    if (now === seen) return settings;
    seen = now;
    try {
      settings = readSettings(path, personal);
      problem = undefined;
    } catch (error) {
      problem = `${(error as Error).message} Until then, what the file said before holds.`;
      tell(problem);
    }
    return settings;
  }

  return {
    current,
    problem() {
      current();
      return problem;
    },
  };
}

function stateOf(...paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      return stat ? `${stat.mtimeNs}/${stat.size}/${stat.ino}` : '';
    })
    .join(' ');
}
