import type { Client } from '../../../client/index.ts';
import type { EventLog } from '../../../log/event-log.ts';
import type { Cli } from '../../cli.ts';
import type { createWakes } from '../../connect/wakes.ts';
import { toldOf } from '../../failure.ts';
import { oneLine } from '../../output/text.ts';
import { followServedText } from '../../terminal/live-text.ts';
import { onScreen, type Size } from '../../terminal/screen.ts';
import { makeCurrent } from '../../threads/current.ts';
import type { Done } from '../../threads/send.ts';
import { autoBranch, forkIn } from '../follow.ts';
import { openExchange, type Reading } from '../reader.ts';
import { draw, furthest, timeline } from './draw.ts';
import { type Form, formFor } from './forms.ts';

interface Chat {
  readonly log: EventLog;
  readonly client: Client;
  readonly wakes: ReturnType<typeof createWakes>;
}

/** The exchange as it comes, on the whole screen; a key for each thing the observer may do. Returns where it ended. */
export async function chatOnScreen(cli: Cli, begun: Reading, { log, client, wakes }: Chat): Promise<Reading> {
  const { colors } = cli.out;
  const texts = followServedText(cli, wakes.again);
  let reading = begun;
  let over = false;
  let form: Form | undefined;
  let note = '';
  let up = 0;
  let size: Size = { width: 80, height: 24 };
  let came: readonly string[] | undefined;
  let again = () => {};
  /** A branch that was begun before anyone looked is no news. */
  const left = autoBranch(reading);

  function lines(now: Size): readonly string[] {
    if (now.width !== size.width) came = undefined;
    size = now;
    came ??= timeline(reading.exchange, { colors }, size.width - 1);
    const live = texts.current().filter(({ thread }) => thread === reading.id);
    return draw(reading, came, { ...size, colors, form, note, up, live, isServed: texts.isServed() });
  }

  function press(key: string, show: () => void) {
    again = show;
    note = '';
    if (form) return formKey(form, key);
    const { run, pending } = reading.exchange;
    const thread = client.thread(reading.id);
    if (key === 'q') quit();
    else if (key === 'up' || key === 'page-up') scroll(key === 'up' ? 1 : size.height - 8);
    else if (key === 'down' || key === 'page-down') scroll(key === 'down' ? -1 : 8 - size.height);
    else if (key === 'p' && run?.state === 'running')
      void did(thread.command('pause_rounds', {}), 'The rounds are held.');
    else if (key === 'p' && run?.state === 'paused') void did(thread.command('resume_rounds', {}), 'The minds think.');
    else if (key === 'a' && !pending) void did(thread.command('audit_now', {}), 'The auditor reads the pool.');
    else form = formFor(key, reading.exchange);
  }

  function scroll(by: number) {
    up = Math.max(0, Math.min(furthest(came?.length ?? 0, size), up + by));
  }

  function formKey(asked: Form, key: string) {
    const { questions, answers, text } = asked;
    if (key === 'escape') form = undefined;
    else if (key === 'backspace') form = { ...asked, text: [...text].slice(0, -1).join('') };
    else if (key !== 'enter') form = [...key].length === 1 ? { ...asked, text: text + key } : asked;
    else if (text.trim() === '' && !questions[answers.length]?.optional) form = undefined;
    else {
      const given = [...answers, text.trim()];
      const whole = given.length === questions.length;
      form = whole ? undefined : { ...asked, answers: given, text: '' };
      if (whole) void did(sent(asked, given), asked.told);
    }
  }

  /** What was typed may be no number: that is said like any other "no". */
  async function sent(asked: Form, answers: readonly string[]): Promise<Done> {
    return asked.send(client.thread(reading.id), answers);
  }

  async function did(sending: Promise<Done>, sentence: string) {
    note = '…';
    try {
      const done = await sending;
      const fork = forkIn(done);
      if (fork) await goTo(fork);
      note = sentence;
    } catch (error) {
      note = oneLine(toldOf(error).message);
    }
    up = 0;
    wakes.again();
    again();
  }

  async function goTo(branch: string) {
    reading = await openExchange(cli, log, branch);
    came = undefined;
    makeCurrent(cli, branch);
  }

  async function refresh() {
    if (await reading.refresh()) came = undefined;
    const branch = autoBranch(reading);
    if (branch === undefined || branch === left) return;
    await goTo(branch);
    note = 'It goes on in a branch, as the terms say: this one.';
  }

  function quit() {
    over = true;
  }

  await onScreen({ wakes, refresh, lines, press, quit, isOver: () => over }).finally(texts.close);
  return reading;
}
