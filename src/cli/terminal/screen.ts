import type { watchChanges } from '../connect/changes.ts';
import { parseKeys } from './keys.ts';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** What has the whole terminal for a while. */
export interface Screen {
  readonly changes: ReturnType<typeof watchChanges>;
  /** Takes in what is new. */
  refresh(): Promise<unknown>;
  lines(size: ScreenSize): readonly string[];
  /** `show` draws it again, for what comes later than the key. */
  press(key: string, show: () => void): void;
  /** Ctrl-C and being told to end come here as well as the key. */
  quit(): void;
  isOver(): boolean;
}

/** Draws whenever something is new or a key was pressed, and leaves the terminal as it was. */
export async function runScreen({ changes, refresh, lines, press, quit, isOver }: Screen): Promise<void> {
  const { stdin, stdout } = process;

  function show() {
    if (isOver()) return;
    const rows = lines({ width: stdout.columns || 80, height: stdout.rows || 24 });
    stdout.write(`\x1b[H${rows.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`);
  }

  function end() {
    quit();
    changes.again();
  }

  const onData = (data: Buffer) => {
    for (const key of parseKeys(data.toString('utf8'))) {
      if (isOver()) return;
      if (key === 'ctrl-c') end();
      else press(key, show);
      show();
    }
    if (isOver()) changes.again();
  };
  stdout.write('\x1b[?1049h\x1b[?25l\x1b[2J');
  stdin.setRawMode(true).on('data', onData).resume();
  stdout.on('resize', show);
  process.once('SIGTERM', end).once('SIGHUP', end);
  try {
    while (!isOver()) {
      const nextChange = changes.next();
      await refresh();
      show();
      if (!isOver()) await nextChange;
    }
  } finally {
    stdin.off('data', onData).setRawMode(false).pause();
    stdout.off('resize', show);
    process.off('SIGTERM', end).off('SIGHUP', end);
    stdout.write('\x1b[?25h\x1b[?1049l');
  }
}
