import type { Exchange } from '../../core/exchange/state.ts';
import { modeState } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Cli } from '../cli.ts';
import { openThreadReader, type ThreadReader, withThreadReader, wrongKindFailure } from '../threads/reader.ts';

/** Reads the current state of an exchange from the log. */
export interface ExchangeReader {
  readonly id: string;
  readonly title: string;
  readonly exchange: Exchange;
  readonly seq: number;
  /** Reads newly appended events; true if there were any. */
  refresh(): Promise<boolean>;
}

/** Runs `work` with the current exchange. */
export function withExchange<T>(cli: Cli, work: (reader: ExchangeReader, log: EventLog) => T | Promise<T>): Promise<T> {
  return withThreadReader(cli, (reader, log) => work(exchangeReaderOf(cli, reader), log));
}

/** Opens another exchange, such as a branch. */
export async function openExchange(cli: Cli, log: EventLog, name: string): Promise<ExchangeReader> {
  return exchangeReaderOf(cli, await openThreadReader(log, name));
}

function exchangeReaderOf(cli: Cli, reader: ThreadReader): ExchangeReader {
  const exchange = () => modeState('exchange', reader.state);
  if (!exchange()) throw wrongKindFailure(cli, reader.state.thread);
  return {
    id: reader.id,
    get title() {
      return reader.state.thread.title;
    },
    get exchange() {
      return exchange() as Exchange;
    },
    get seq() {
      return reader.seq;
    },
    refresh: reader.refresh,
  };
}
