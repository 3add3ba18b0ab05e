import { DEFAULT_CURRENCY } from '../../core/text/money.ts';
import { readTextFile } from '../line-file.ts';
import { personalSettingsPath } from './personal-path.ts';

/**
 * The currency that the settings name. The files are parsed only if they mention one, because this is read before every
 * command. A mistake in them is for the commands to report that need more of the settings.
 */
export async function readCurrency(path: string): Promise<string> {
  try {
    if (![path, personalSettingsPath()].some(mentionsCurrency)) return DEFAULT_CURRENCY;
    const { readSettings } = await import('./settings.ts');
    return readSettings(path).currency;
  } catch {
    return DEFAULT_CURRENCY;
  }
}

function mentionsCurrency(path: string): boolean {
  const lines = readTextFile(path).split('\n');
  return lines.some((line) => line.includes('currency') && !line.trimStart().startsWith('#'));
}
