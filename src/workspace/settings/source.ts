import { statSync } from 'node:fs';
import { personalSettingsPath, readSettings, type WorkspaceSettings } from './settings.ts';

/** Settings as they are now: the files are looked at whenever someone asks, and read again when they have changed. */
export interface SettingsSource {
  current(): WorkspaceSettings;
  /** What is wrong with the files as they are now; what they said before still holds then. */
  problem(): string | undefined;
}

/** Throws when the files cannot be read at first; `onProblem` hears, once, what is wrong with them later. */
export function openSettingsSource(
  path: string,
  personalPath: string = personalSettingsPath(),
  onProblem: (problem: string) => void = () => {},
): SettingsSource {
  let lastState = stateOf(path, personalPath);
  let settings = readSettings(path, personalPath);
  let problem: string | undefined;

  function current(): WorkspaceSettings {
    const currentState = stateOf(path, personalPath);
    if (currentState === lastState) return settings;
    lastState = currentState;
    try {
      settings = readSettings(path, personalPath);
      problem = undefined;
    } catch (error) {
      problem = `${(error as Error).message} Until then, what the file said before holds.`;
      onProblem(problem);
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
