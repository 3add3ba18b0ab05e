import type { watchChanges } from '../connect/changes.ts';
import { parseKeys } from './keys.ts';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** A full-screen terminal view. */
export interface Screen {
  readonly changes: ReturnType<typeof watchChanges>;
  /** Reads new events. */
  refresh(): Promise<unknown>;
  lines(size: ScreenSize): readonly string[];
  /** Handles a key. Call `show` to redraw when a later result arrives. */
  press(key: string, show: () => void): void;
  /** Called for Ctrl-C and for a termination signal as well as for the key. */
  quit(): void;
  isOver(): boolean;
}

/** Redraws on every change and every key, and restores the terminal at the end. */
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
