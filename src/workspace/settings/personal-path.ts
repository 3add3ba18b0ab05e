import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's own settings, which apply to all their workspaces. */
export function personalSettingsPath(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string {
  if (env.HEDDLE_CONFIG) return env.HEDDLE_CONFIG;
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'Heddle/config/heddle.yaml');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'heddle/heddle.yaml');
}
