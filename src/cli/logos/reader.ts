import type { Exchange } from '../../core/exchange/state.ts';
import { modeState } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { openReading, type ThreadReading, withReading, wrongKind } from '../threads/reader.ts';

/** An exchange as it stands in the log. */
export interface Reading {
  readonly id: string;
  readonly title: string;
  readonly exchange: Exchange;
  readonly seq: number;
  /** Takes in what was appended since; true when there was something. */
  refresh(): Promise<boolean>;
}

/** Looks at the exchange that is meant. */
export function withExchange<T>(cli: Cli, look: (reading: Reading, log: EventLog) => T | Promise<T>): Promise<T> {
  return withReading(cli, (reading, log) => look(exchangeIn(cli, reading), log));
}

/** Looks at another one, such as a branch. */
export async function openExchange(cli: Cli, log: EventLog, name: string): Promise<Reading> {
  return exchangeIn(cli, await openReading(log, name));
}

function exchangeIn(cli: Cli, reading: ThreadReading): Reading {
  const exchange = () => modeState('exchange', reading.state);
  if (!exchange()) throw wrongKind(cli, reading.state.thread);
  return {
    id: reading.id,
    get title() {
      return reading.state.thread.title;
    },
    get exchange() {
      return exchange() as Exchange;
    },
    get seq() {
      return reading.seq;
    },
    refresh: reading.refresh,
  };
}
