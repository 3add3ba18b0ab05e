// Models that say what a test gives them to say.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What models say, each one thing after the other and then again. */
export type Scripts = Readonly<Record<string, readonly (string | object)[]>>;

interface Besides {
  /** Which of them are used where none is named. */
  readonly defaults?: object;
  /** Models that are no scripts. */
  readonly others?: object;
}

/** Makes these the models of a workspace. */
export function giveModels(workspace: string, scripts: Scripts, { defaults = {}, others = {} }: Besides = {}): void {
  const scripted = Object.entries(scripts).map(([name, answers]) => {
    const played = answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer));
    writeFileSync(join(workspace, `${name}.json`), JSON.stringify({ loop: true, answers: played }));
    return [name, { provider: 'scripted', path: `${name}.json` }];
  });
  const settings = { person: { id: 'human' }, models: { ...Object.fromEntries(scripted), ...others }, defaults };
  // JSON is YAML too.
  writeFileSync(join(workspace, 'heddle.yaml'), JSON.stringify(settings));
}
