import type { Client } from '../../../client/index.ts';
import type { Cli } from '../../cli.ts';
import type { watchChanges } from '../../connect/changes.ts';
import { errorReportOf } from '../../failure.ts';
import { oneLine } from '../../output/text.ts';
import { followServedText } from '../../terminal/live-text.ts';
import { runScreen, type ScreenSize } from '../../terminal/screen.ts';
import { setCurrentThread } from '../../threads/current.ts';
import { openThreadReader } from '../../threads/reader.ts';
import type { ThreadCommandResult } from '../../threads/send.ts';
import { autoBranchOf, createdThreadOf, type ExchangeReader } from '../follow.ts';
import { drawChat, maxScroll, timelineLines } from './draw.ts';
import { type ChatForm, formFor } from './forms.ts';

interface ChatConnections {
  readonly readClient: Client;
  /** Sends commands. */
  readonly client: Client;
  readonly changes: ReturnType<typeof watchChanges>;
}

/** Shows the live exchange on the full screen, with a key for each observer action. Returns the last reader. */
export async function chatOnScreen(
  cli: Cli,
  initialReader: ExchangeReader,
  { readClient, client, changes }: ChatConnections,
): Promise<ExchangeReader> {
  const { colors, currency } = cli.out;
  const liveTexts = followServedText(cli, changes.again);
  let reader = initialReader;
  let isOver = false;
  let form: ChatForm | undefined;
  let note = '';
  let scrollOffset = 0;
  let size: ScreenSize = { width: 80, height: 24 };
  let history: readonly string[] | undefined;
  let redraw = () => {};
  /** A branch that began before this screen opened is not news. */
  const knownBranch = autoBranchOf(reader);

  function lines(newSize: ScreenSize): readonly string[] {
    if (newSize.width !== size.width) history = undefined;
    size = newSize;
    history ??= timelineLines(reader.state, { colors }, size.width - 1);
    const live = liveTexts.current().filter(({ thread }) => thread === reader.id);
    return drawChat(reader, history, {
      ...size,
      colors,
      currency,
      form,
      note,
      scrollOffset,
      live,
      isServed: liveTexts.isServed(),
    });
  }

  function press(key: string, show: () => void) {
    redraw = show;
    note = '';
    if (form) return onFormKey(form, key);
    const { run, pending } = reader.state;
    const thread = client.thread(reader.id);
    if (key === 'q') quit();
    else if (key === 'up' || key === 'page-up') scroll(key === 'up' ? 1 : size.height - 8);
    else if (key === 'down' || key === 'page-down') scroll(key === 'down' ? -1 : 8 - size.height);
    else if (key === 'p' && run?.state === 'running')
      void sendAndReport(thread.command('pause_run', {}), 'The rounds are paused.');
    else if (key === 'p' && run?.state === 'paused')
      void sendAndReport(thread.command('resume_run', {}), 'The minds are thinking.');
    else if (key === 'a' && !pending)
      void sendAndReport(thread.command('audit_now', {}), 'The auditor is reading the pool.');
    else form = formFor(key, reader.state);
  }

  function scroll(by: number) {
    scrollOffset = Math.max(0, Math.min(maxScroll(history?.length ?? 0, size), scrollOffset + by));
  }

  function onFormKey(currentForm: ChatForm, key: string) {
    const { questions, answers, text } = currentForm;
    if (key === 'escape') form = undefined;
    else if (key === 'backspace') form = { ...currentForm, text: [...text].slice(0, -1).join('') };
    else if (key !== 'enter') form = [...key].length === 1 ? { ...currentForm, text: text + key } : currentForm;
    else if (text.trim() === '' && !questions[answers.length]?.optional) form = undefined;
    else {
      const allAnswers = [...answers, text.trim()];
      const isComplete = allAnswers.length === questions.length;
      form = isComplete ? undefined : { ...currentForm, answers: allAnswers, text: '' };
      if (isComplete) void sendAndReport(submitForm(currentForm, allAnswers), currentForm.confirmation);
    }
  }

  /** Async, so that invalid input, such as text that is not a number, is reported like any other refusal. */
  async function submitForm(currentForm: ChatForm, answers: readonly string[]): Promise<ThreadCommandResult> {
    return currentForm.send(client.thread(reader.id), answers);
  }

  async function sendAndReport(pending: Promise<ThreadCommandResult>, sentence: string) {
    note = '…';
    try {
      const result = await pending;
      const fork = createdThreadOf(result);
      if (fork) await openBranch(fork);
      note = sentence;
    } catch (error) {
      note = oneLine(errorReportOf(error).message);
    }
    scrollOffset = 0;
    changes.again();
    redraw();
  }

  async function openBranch(branch: string) {
    reader = await openThreadReader(readClient.thread(branch), 'exchange');
    history = undefined;
    setCurrentThread(cli, branch);
  }

  async function refresh() {
    if (await reader.refresh()) history = undefined;
    const branch = autoBranchOf(reader);
    if (branch === undefined || branch === knownBranch) return;
    await openBranch(branch);
    note = 'By its terms, the exchange continues in a branch: this one.';
  }

  function quit() {
    isOver = true;
  }

  await runScreen({ changes, refresh, lines, press, quit, isOver: () => isOver }).finally(liveTexts.close);
  return reader;
}
