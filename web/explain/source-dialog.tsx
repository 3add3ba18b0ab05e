import { ArrowLeft } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import type { WireAccount } from '../../src/client/index.ts';
import { ThreadPeople } from '../data/thread-people.tsx';
import { navigate } from '../shell/address.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { Avatar } from '../ui/people/avatar.tsx';
import { hueOf } from '../ui/people/hue.ts';
import { Name } from '../ui/people/participant.tsx';
import { useHue, usePerson } from '../ui/people/people.ts';
import { Banner } from '../ui/status/banner.tsx';
import { Progress } from '../ui/status/progress.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import { Cause } from './account.tsx';
import { Fact, PlaceLink } from './fact.tsx';
import styles from './source-dialog.module.css';
import { type ExplainTarget, explainTarget as explainTargetStore, openExplain } from './target.ts';
import { useAccount } from './use-account.ts';

interface SourceDialogProps {
  readonly target: ExplainTarget;
  onClose(): void;
}

/** Where a text came from: five questions in the order people ask them, the proof last. */
export function SourceDialog({ target, onClose }: SourceDialogProps) {
  const { account, offset, problem } = useAccount(target);
  const [history, setHistory] = useState<readonly ExplainTarget[]>([]);

  function explain(link: string, at?: number): void {
    setHistory([...history, target]);
    openExplain(link, at);
  }

  function goBack(): void {
    explainTargetStore.set(history.at(-1));
    setHistory(history.slice(0, -1));
  }

  function show(link: string): void {
    onClose();
    navigate(link);
  }

  /** Following a link closes the dialog. */
  function onClick(event: MouseEvent): void {
    if ((event.target as Element).closest('a[data-in-page]')) onClose();
  }

  return (
    <Dialog
      title="Source"
      size="large"
      onClose={onClose}
      actions={account && <CopyButton text={JSON.stringify(account, null, 2)} />}
      footer={
        <>
          {history.length > 0 && (
            <Button kind="quiet" icon={ArrowLeft} onClick={goBack}>
              Back
            </Button>
          )}
          {account && <Button onClick={() => show(account.link)}>Show in context</Button>}
        </>
      }
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links are followed by keys as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div className={styles.account} aria-busy={!account && !problem} onClick={onClick}>
        {!account && !problem && <Progress label="Loading the source" fraction={null} />}
        {account && (
          <ThreadPeople thread={account.thread.id}>
            <p className={styles.what} dir="auto">
              {escapeBidi(account.what)} in {escapeBidi(account.thread.title)}
            </p>
            <AccountText account={account} onPart={(from) => explain(account.link, from)} />
            <WrittenBy account={account} />
            <Cause key={`${account.link} ${offset}`} account={account} offset={offset} onPiece={explain} />
          </ThreadPeople>
        )}
        {problem && <Banner tone="failure">{escapeBidi(problem)}</Banner>}
      </div>
    </Dialog>
  );
}

const MAX_CHARS = 1200;

/** The text. If it has several authors, each part names its author and links to its own cause. */
function AccountText({ account, onPart }: { readonly account: WireAccount; onPart(from: number): void }) {
  const { text, parts, at } = account;
  const start = at ? Math.max(0, at.from - MAX_CHARS / 4) : 0;
  const end = Math.min(text.length, start + MAX_CHARS);
  const spans = (parts ?? [{ from: 0, to: text.length, author: account.author }])
    .map(({ from, to, author }) => ({ from: Math.max(from, start), to: Math.min(to, end), author }))
    .filter(({ from, to }) => from < to);
  return (
    <blockquote className={styles.text} data-hue={useHue(account.author.id)} dir="auto">
      {start > 0 && '… '}
      {parts
        ? spans.map(({ from, to, author }) => (
            <button
              key={from}
              type="button"
              className={styles.part}
              data-hue={hueOf(author.id)}
              aria-current={at !== undefined && at.from <= from && from < at.to}
              title={author.id}
              aria-label={`${author.id}: ${escapeBidi(text.slice(from, to))}`}
              onClick={() => onPart(from)}
            >
              {escapeBidi(text.slice(from, to))}
            </button>
          ))
        : at
          ? [
              escapeBidi(text.slice(start, at.from)),
              <mark key="at">{escapeBidi(text.slice(at.from, Math.min(at.to, end)))}</mark>,
              escapeBidi(text.slice(at.to, end)),
            ]
          : escapeBidi(text.slice(start, end))}
      {end < text.length && ' …'}
    </blockquote>
  );
}

const AUTHOR_KINDS: Readonly<Record<WireAccount['author']['kind'], string>> = {
  human: 'a person',
  agent: 'an agent',
  automation: 'a part of the workspace',
  model: 'a model',
  imported: 'imported',
  unknown: 'not known',
};

/** The account says what the author was then, even if the ID belongs to somebody else now. */
function AuthorFace({ id, isPerson }: { readonly id: string; readonly isPerson: boolean }) {
  const { face = id } = usePerson(id);
  return <Avatar id={face} kind={isPerson ? 'person' : 'model'} size="small" />;
}

/** Who wrote it, and what happened to it, oldest first. */
function WrittenBy({ account: { author, steps, link } }: { readonly account: WireAccount }) {
  const { id, kind, model, small } = author;
  const modelNote = model === undefined ? '' : `, model ${escapeBidi(model)}${small ? ' (small)' : ''}`;
  return (
    <Fact name="Written by">
      <p className={styles.author}>
        {id !== '' && <AuthorFace id={id} isPerson={kind === 'human'} />}
        <span>
          {id !== '' && (
            <>
              <b>
                <Name id={id} />
              </b>
              ,{' '}
            </>
          )}
          <span className={styles.faint}>
            {AUTHOR_KINDS[kind]}
            {modelNote}
          </span>
        </span>
      </p>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an account never changes
          <li key={index} dir="auto">
            {escapeBidi(step.what)}{' '}
            {step.ts !== undefined && (
              <span className={styles.faint}>
                <Time ts={step.ts} />
              </span>
            )}{' '}
            {step.link !== undefined && step.link !== link && <PlaceLink link={step.link} />}
          </li>
        ))}
      </ol>
    </Fact>
  );
}
