import { useEffect, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { describeError } from '../../../data/session.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage } from '../../../ui/refusal.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { LongText } from '../../../ui/text/long-text.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OpenThread } from '../data/thread.ts';
import styles from './dialogs.module.css';

interface VersionsDialogProps {
  readonly event: WireEvent;
  readonly thread: OpenThread;
  onClose(): void;
}

type Version = Awaited<ReturnType<OpenThread['remote']['versions']>>['versions'][number];

/** Every text that a message has had, oldest first, each with what changed (T35). */
export function VersionsDialog({ event, thread, onClose }: VersionsDialogProps) {
  const { versions, problem } = useVersions(thread, event);
  return (
    <Dialog title="Versions of this message" size="large" onClose={onClose}>
      <RefusalMessage reason={problem} />
      <ol className={styles.versions}>
        {versions?.map(({ event: id, ts, text }, index) => {
          const before = versions[index - 1];
          return (
            <li key={id}>
              <p className={styles.version}>
                <Face id={event.from} size="small" />
                <b>
                  <Name id={event.from} />
                </b>
                {before ? 'edited it' : 'wrote it'} · <Time ts={ts} />
              </p>
              {before ? <DiffText hunks={diffWords(before.text, text)} /> : <LongText text={text} isOpen={true} />}
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}

/** Read again when another version comes. */
function useVersions(thread: OpenThread, { id, edited }: WireEvent) {
  const [found, setFound] = useState<{ readonly versions?: readonly Version[]; readonly problem?: string }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest version is what makes the list another
  useEffect(() => {
    let isCurrent = true;
    thread.remote.versions(id).then(
      ({ versions }) => isCurrent && setFound({ versions }),
      (error: unknown) => isCurrent && setFound({ problem: describeError(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [thread, id, edited?.event]);
  return found;
}
