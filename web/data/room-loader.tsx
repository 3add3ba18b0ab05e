import { useEffect, useState } from 'react';
import { HeddleRefusal } from '../../src/client/index.ts';
import { Refused } from '../ui/request.tsx';
import { sentenceFor } from './session.ts';
import { createStore } from './store.ts';

/** How far what a room shows has been read. */
export interface Opened {
  readonly phase: 'loading' | 'ready' | 'missing';
  readonly problem?: string;
}

const AGAIN_MS = 1_000;

/** Reads what a room begins with until it is there, or until it is known that it never will be. */
export function createOpening(load: () => Promise<unknown>) {
  const opened = createStore<Opened>({ phase: 'loading' });
  let closed = false;

  /** True once it can be shown. */
  async function open(): Promise<boolean> {
    while (!closed && opened.get().phase === 'loading') {
      try {
        await load();
        opened.set({ phase: 'ready' });
      } catch (error) {
        failed(error);
        if (opened.get().phase === 'loading') await rest(AGAIN_MS);
      }
    }
    return !closed && opened.get().phase === 'ready';
  }

  /** What is read again may fail: the next news asks anew. */
  async function quietly(work: () => Promise<unknown>): Promise<void> {
    await work().catch(failed);
  }

  function failed(error: unknown): void {
    const code = error instanceof HeddleRefusal ? error.code : undefined;
    const problem = sentenceFor(error);
    if (code === 'unknown_thread' || code === 'wrong_kind') opened.set({ phase: 'missing', problem });
  }

  function close(): void {
    closed = true;
  }

  return { opened, open, quietly, close, isClosed: () => closed };
}

interface Openable {
  readonly id: string;
  open(): Promise<unknown>;
  close(): void;
}

/** What a room shows, opened while it is on the page. */
export function useOpen<Shown extends Openable>(
  openIt: (id: string, me: string) => Shown,
  id: string,
  me: string,
): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const opening = openIt(id, me);
    setShown(opening);
    void opening.open();
    return opening.close;
  }, [openIt, id, me]);
  return shown?.id === id ? shown : undefined;
}

export function NotThere({ what, problem }: { readonly what: string; readonly problem: string | undefined }) {
  return (
    <main className="room plain">
      <h1>No such {what}</h1>
      <Refused because={problem} />
      <p>
        <a href="/" data-in-page>
          To the start
        </a>
      </p>
    </main>
  );
}

export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
