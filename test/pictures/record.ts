// A recording of the program in a real terminal: what is typed, and the screen as it then is.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../../src/models/builtin/weights/cache.ts';
import { writePrograms } from '../support/program/program-names.ts';
import { type Frame, svgOf } from './svg.ts';

const root = join(import.meta.dirname, '../..');
const COLUMNS = 84;
const LINES = 25;

const SESSION = [
  'heddle loom new --text "Once upon a time"',
  'heddle loom generate "Once upon a time" -n 3 --max-tokens 12 --seed 7',
  'heddle loom tree "Once upon a time"',
  'mind init "Garden plans"',
  'mind message "Shall we plant beans?"',
  'mind run 3',
  'mind accept 2',
];

export function recordTerminal(to: string): void {
  const place = mkdtempSync(join(tmpdir(), 'heddle-recording-'));
  const bin = join(place, 'bin');
  writePrograms(bin, (name) => join(root, `bin/${name}.js`));
  const socket = join(place, 'tmux');
  const tmux = (...words: string[]) => {
    const ran = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' });
    if (ran.error) throw new Error('A recording needs tmux: install it (on Debian: apt-get install tmux).');
    return ran.stdout;
  };
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HEDDLE_WORKSPACE: join(place, 'workspace'),
    HEDDLE_CACHE: cacheDirectory(),
    PS1: '$ ',
    // Says when a command has ended and how, without a word on the screen.
    PROMPT_COMMAND: `echo $? >> ${place}/codes; tmux -S ${socket} wait-for -S prompt`,
  };
  const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const shell = ['env', ...given, 'bash', '--norc', '--noprofile'];
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(LINES), '--', ...shell);
  try {
    tmux('wait-for', 'prompt');
    const frames: Frame[] = [];
    for (const command of SESSION) {
      tmux('send-keys', '-l', command);
      frames.push({ screen: settled(() => tmux('capture-pane', '-ep')), seconds: 1 });
      tmux('send-keys', 'Enter');
      tmux('wait-for', 'prompt');
      frames.push({ screen: settled(() => tmux('capture-pane', '-ep')), seconds: 2.4 });
    }
    const codes = readFileSync(join(place, 'codes'), 'utf8');
    if (/[^0\s]/.test(codes)) throw new Error(`A command of the recording failed:\n${frames.at(-1)?.screen}`);
    writeFileSync(to, svgOf(frames, { columns: COLUMNS, lines: LINES, transcript: transcript(env, place) }));
  } finally {
    tmux('kill-server');
    rmSync(place, { recursive: true, force: true });
  }
}

/** A terminal draws what it was told a moment later: its screen is taken once it stays the same. */
function settled(capture: () => string): string {
  for (let before = capture(); ; ) {
    const after = capture();
    if (after === before && after.includes('$ ')) return after;
    before = after;
  }
}

/** The same commands once more for those who read it, with "…" for what differs each time: a test holds it against the program. */
function transcript(env: Readonly<Record<string, string>>, place: string): string {
  const own = { ...env, HEDDLE_WORKSPACE: join(place, 'transcript') };
  const lines = SESSION.flatMap((command) => {
    const { stdout } = spawnSync('bash', ['-c', command], { env: own, encoding: 'utf8' });
    const printed = stdout.trimEnd().split('\n');
    const varying = (line: string) =>
      line.replace(/^(\d+ {2}draft #\d+ {2}).*/, '$1…').replace(/[\d,]+ tokens/, '… tokens');
    return [`$ ${command}`, ...printed.map(varying)];
  });
  return lines.join('\n');
}
