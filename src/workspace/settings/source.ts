import { statSync } from 'node:fs';
import { personalSettingsPath } from './personal-path.ts';
import { readSettings, type WorkspaceSettings } from './settings.ts';

/** The current settings: each access checks the files and rereads them after a change. */
export interface SettingsSource {
  current(): WorkspaceSettings;
  /** The problem with the current files, if any; the last valid settings stay in force. */
  problem(): string | undefined;
}

/** Throws if the files cannot be read at first; later problems go to `onProblem`, once each. */
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
      problem = `${(error as Error).message} Until then, the previous settings apply.`;
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
