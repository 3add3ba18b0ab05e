// A workspace whose minds and auditor say what a test tells them to.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWorkspace, type RunOptions, type RunResult, start } from '../support/program/heddle.ts';

export interface Answer {
  readonly text?: string;
  readonly fault?: 'rate_limited';
  readonly retry_after?: number;
  readonly when?: string;
  readonly repeat?: 'always' | number;
  readonly pace?: number;
}

const AUDIT = 'Gardens and water [#1], also [#99].';

export function workspaceWith(minds: readonly Answer[], auditor: readonly Answer[] = always(AUDIT)) {
  const workspace = newWorkspace();
  const settings = `models:
  script: {provider: scripted, path: mind.yaml}
  other: {provider: scripted, path: mind.yaml}
  auditor: {provider: scripted, path: auditor.yaml}
defaults: {mind: script, auditor: auditor}
`;
  writeFileSync(join(workspace.path, 'heddle.yaml'), settings);
  writeFileSync(join(workspace.path, 'mind.yaml'), JSON.stringify({ answers: minds }));
  writeFileSync(join(workspace.path, 'auditor.yaml'), JSON.stringify({ answers: auditor }));
  const env = { HEDDLE_WORKSPACE: workspace.path };
  const begin = (words: readonly string[], options: RunOptions = {}) =>
    start(words, { program: 'logos', ...options, env: { ...env, ...options.env } });
  const logos = (...words: string[]) => begin(words).ended;

  async function ok(...words: string[]): Promise<RunResult> {
    const ran = await logos(...words);
    if (ran.code !== 0) throw new Error(`logos ${words.join(' ')} ended with ${ran.code}:\n${ran.out}\n${ran.err}`);
    return ran;
  }

  /** How a command says no: its exit code and the code of its error. */
  async function no(...words: string[]): Promise<readonly [number | null, string]> {
    const { code, err } = await logos(...words, '--json');
    return [code, JSON.parse(err).error.code];
  }

  return { ...workspace, env, begin, logos, ok, no };
}

export function says(...thoughts: readonly string[]): string {
  return JSON.stringify({ thoughts });
}

export function always(text: string): readonly Answer[] {
  return [{ text, repeat: 'always' }];
}

/** What is said at an iteration is chosen by its number, which every input has: so it is the same in every process. */
export function script(...texts: readonly string[]): readonly Answer[] {
  const numbered = texts.map((text, i) => ({ text, when: `iter: ${i + 1}\n`, repeat: 'always' as const }));
  return [...numbered, { text: says('the pool goes on'), repeat: 'always' }];
}

/** Thinks of water, and in its third iteration asks for a restart. */
export const RESTARTING = script(
  says('water the beans'),
  says('water the peas'),
  JSON.stringify({ thoughts: ['we say it again'], restart: 'The audit hides us.' }),
);

/** JSON Lines. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export function linesIn({ out }: RunResult): any[] {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
