import { describe, expect, test } from 'vitest';
import { dialogueWith, mind } from '../../../test/support/domain/dialogue.ts';
import { controls, human, typesOf } from '../../../test/support/domain/given.ts';
import type { Event } from '../events/event.ts';
import { attentionOf } from './view/attention.ts';
import { historyView, statusView } from './view/view.ts';

const silent = { thoughts: [] };

describe('stop rules', () => {
  test('[D17] a run of N iterations ends after N', () => {
    const talk = dialogueWith();
    talk.message('x', { iterations: 2 });
    talk.drafts('a');
    expect(typesOf(talk.says({ thoughts: [], draft: 'b' }))).toEqual(['iteration.ended', 'run.ended']);
    expect(talk.state().run).toMatchObject({ state: 'ended', reason: 'done', done: 2 });
    expect(talk.jobs()).toEqual([]);
    expect(typesOf(talk.when(human, 'step', {}))).toEqual(['run.started']);
    expect(talk.jobs()[0]?.key).toBe('iterate-1-3-2-0-0');
  });

  test('[D17] a run ends after three silences in a row, or after the number I set', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a', null, null, '+1', null, null);
    expect(talk.state().run?.state).toBe('running');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended', 'run.ended']);
    expect(talk.state().run?.reason).toBe('silence');
    expect(attentionOf(talk.state()).level).toBe('needs_you');
    talk.when(human, 'run', { silences: 5 });
    talk.drafts(null);
    expect(talk.state().run?.state).toBe('running');
  });

  test.each([
    ['iterations', { iterations: 2 }, 'The budget of 2 iterations is used up'],
    ['tokens', { tokens: 30 }, 'The budget of 30 tokens is used up'],
    ['money', { money: 0.5 }, 'The budget of $0.50 is used up'],
  ])('[D17] a budget of %s pauses the run and says so, and resuming grants the same budget again', (_, budget, why) => {
    const talk = dialogueWith({ budget });
    talk.message();
    const runIteration = () =>
      talk.says({ thoughts: [], draft: 'x' }, { usage: { prompt: 10, generated: 5, cost: 0.25 } });
    runIteration();
    const [, paused] = runIteration() as Event[];
    expect(paused).toMatchObject({
      type: 'run.paused',
      content: { reason: 'budget', why: expect.stringContaining(why) },
    });
    expect(attentionOf(talk.state())).toMatchObject({ level: 'needs_you', reason: expect.stringContaining(why) });
    expect(talk.jobs()).toEqual([]);
    talk.when(human, 'resume_run', {});
    expect(talk.jobs()[0]?.key).toBe('iterate-1-3-1-1-0');
    runIteration();
    expect(typesOf(runIteration())).toEqual(['iteration.ended', 'run.paused']);
  });

  test('[D31] a run without a limit or a budget ends after 20 iterations', () => {
    const talk = dialogueWith();
    talk.message('x', {});
    for (let i = 1; i < 20; i++)
      expect(typesOf(talk.says({ thoughts: [], draft: `${i}` }))).toEqual(['iteration.ended']);
    expect(typesOf(talk.says({ thoughts: [], draft: 'x' }))).toEqual(['iteration.ended', 'run.ended']);
    expect(talk.state().run).toMatchObject({ state: 'ended', reason: 'done', done: 20, limit: 20 });
  });

  test.each([
    ['"+1"', { thoughts: [], draft: '+1' }],
    ['silence', silent],
    ['a thought without a draft', { thoughts: ['Hm.'] }],
  ])('[D31] a run without a limit or a budget ends at the first signal: %s', (_, signal) => {
    const talk = dialogueWith();
    talk.message('x', {});
    talk.drafts('+1', null, 'a', 'WAIT', 'b');
    expect(typesOf(talk.says(signal))).toEqual(['iteration.ended', 'run.ended']);
    expect(talk.state().run).toMatchObject({ state: 'ended', reason: 'signal', done: 6 });
    talk.when(human, 'run', { iterations: 9 });
    expect(typesOf(talk.says(signal))).toEqual(['iteration.ended']);
  });

  test('[D31] a run with auto-accept continues through the signals that auto-accept counts', () => {
    const talk = dialogueWith({ auto_accept: 3 });
    talk.message('x', {});
    talk.drafts('a', '+1', null);
    expect(talk.state().run?.state).toBe('running');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended', 'turn.accepted', 'run.ended']);
  });

  test('[D29] thoughts without a draft ask for my attention and do not end the run, but silences do', () => {
    const talk = dialogueWith();
    talk.message('x', { iterations: 50 });
    talk.drafts('a');
    for (let i = 0; i < 10; i++) talk.says({ thoughts: [`thought ${i}`] });
    expect(talk.state().run).toMatchObject({ state: 'running', done: 11 });
    expect(attentionOf(talk.state()).level).toBe('needs_you');
    talk.drafts(null, null);
    expect(talk.state().run?.state).toBe('running');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended', 'run.ended']);
  });

  test('[D31] failures before a run do not count against it', () => {
    const talk = dialogueWith();
    talk.message('x', { iterations: 2 });
    talk.drafts('a');
    talk.says({ malformed: 'no YAML' });
    talk.when(human, 'run', { iterations: 9 });
    talk.says({ malformed: 'no YAML' });
    expect(typesOf(talk.says({ malformed: 'no YAML' }))).toEqual(['iteration.ended']);
    expect(typesOf(talk.says({ malformed: 'no YAML' }))).toEqual(['iteration.ended', 'run.paused']);
    talk.when(human, 'resume_run', {});
    expect(typesOf(talk.says({ malformed: 'no YAML' }))).toEqual(['iteration.ended']);
  });

  test('[D31] a run that waits for its model is still running, says why and until when, and loses nothing', () => {
    const talk = dialogueWith({ budget: { seconds: 600 } });
    talk.message();
    const key = talk.jobs()[0]?.key;
    const wait = (until: string) => talk.when(mind, 'report_wait', { run: 1, why: 'Nothing answers.', until });
    expect(typesOf(wait('2026-01-01T00:00:30.000Z'))).toEqual(['run.waiting']);
    expect(statusView(talk.state())).toMatchObject({
      attention: {
        level: 'thinking',
        reason: 'No reply yet after 0 iterations, waiting for the model.',
      },
      run: { state: 'running', done: 0, waiting: { until: '2026-01-01T00:00:30.000Z', why: 'Nothing answers.' } },
    });
    expect(talk.jobs()[0]?.key).toBe(key);
    talk.at('2026-01-01T00:09:00.000Z');
    expect(typesOf(wait('2026-01-01T00:10:00.000Z'))).toEqual(['run.waiting']);
    expect(statusView(talk.state()).run?.waiting?.since).toBe('2026-01-01T00:00:00.000Z');
    // Its own time is over: it pauses, and says both.
    talk.at('2026-01-01T00:10:00.000Z');
    const why = expect.stringMatching(/600 seconds is reached\. Nothing answers\. Resume/);
    expect(wait('2026-01-01T00:15:00.000Z')).toMatchObject([
      { type: 'run.paused', content: { reason: 'budget', why } },
    ]);
    expect(wait('2026-01-01T00:15:00.000Z')).toEqual([]);
    talk.when(human, 'resume_run', {});
    wait('2026-01-01T00:11:00.000Z');
    talk.drafts('a');
    expect(statusView(talk.state()).run?.waiting).toBeUndefined();
  });

  test('[D17] a budget of seconds is measured by the times in the log', () => {
    const talk = dialogueWith({ budget: { seconds: 60 } });
    talk.message();
    talk.at('2026-01-01T00:00:59.000Z');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended']);
    talk.at('2026-01-01T00:01:00.000Z');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended', 'run.paused']);
  });

  test('[L26] setting the clock back does not make a run longer', () => {
    const talk = dialogueWith({ budget: { seconds: 60 } });
    talk.at('2026-01-01T01:00:00.000Z');
    talk.message();
    talk.at('2026-01-01T00:00:00.000Z');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended']);
    talk.at('2026-01-01T00:01:00.000Z');
    expect(typesOf(talk.says(silent))).toEqual(['iteration.ended', 'run.paused']);
  });

  test('[D11] three malformed or failed iterations in a row pause the run, and one that succeeds resets the count', () => {
    const talk = dialogueWith();
    talk.message();
    talk.says({ malformed: 'no YAML' });
    talk.says({ error: 'hung up' });
    talk.drafts('a');
    talk.says({ malformed: 'no YAML' });
    talk.says({ malformed: 'no YAML' });
    expect(talk.state().run?.state).toBe('running');
    expect(typesOf(talk.says({ malformed: 'no YAML' }))).toEqual(['iteration.ended', 'run.paused']);
    expect(attentionOf(talk.state()).reason).toContain('no YAML');
  });

  test('[D11] an error that retrying cannot fix pauses the run at once', () => {
    const talk = dialogueWith();
    talk.message();
    expect(typesOf(talk.says({ error: 'The message does not fit.', lasting: true }))).toEqual([
      'iteration.ended',
      'run.paused',
    ]);
  });

  test('[D17] auto-accept takes the latest reply after N silences or "+1", and says who turned it on', () => {
    const talk = dialogueWith();
    talk.when(human, 'configure', { set: { auto_accept: 5 } });
    talk.message();
    talk.drafts('a', 'b', '+1', null, null, null);
    talk.says({ malformed: 'x' });
    expect(talk.state().run?.state).toBe('running');
    const events = talk.says(silent) as Event[];
    expect(events.map(({ type }) => type)).toEqual(['iteration.ended', 'turn.accepted', 'run.ended']);
    expect(events[1]?.content).toEqual({ turn: 1, draft: 2, auto: { after: 5, set_by: 'ana' } });
    expect(historyView(talk.state()).turns[0]).toMatchObject({ reply: 'b', auto: { set_by: 'ana' } });
  });

  test('[D17] nothing is accepted automatically unless a human turned it on', () => {
    const talk = dialogueWith();
    talk.message('x', { silences: 100 });
    talk.drafts('a', ...Array.from({ length: 50 }, () => '+1'), ...Array.from({ length: 50 }, () => null));
    expect(historyView(talk.state()).turns).toEqual([]);
  });
});

describe('runs', () => {
  test('[D17] only one run is active at a time, and a paused run gives way to a new one', () => {
    const talk = dialogueWith();
    talk.message();
    expect(talk.when(human, 'run', {})).toMatchObject({ code: 'already_running' });
    expect(talk.when(human, 'step', {})).toMatchObject({ code: 'already_running' });
    talk.when(human, 'pause_run', {});
    expect(talk.when(human, 'pause_run', {})).toEqual([]);
    expect(typesOf(talk.when(human, 'run', {}))).toEqual(['run.ended', 'run.started']);
    expect(talk.when(human, 'stop_run', {})).toMatchObject([{ content: { run: 2, reason: 'stopped' } }]);
    expect(talk.when(human, 'stop_run', {})).toEqual([]);
    expect(talk.when(human, 'resume_run', {})).toMatchObject({ code: 'not_running' });
  });

  test('[D5] a result that arrives after its run was paused or stopped is late', () => {
    const talk = dialogueWith();
    talk.message();
    talk.when(human, 'pause_run', {});
    expect(talk.says({ thoughts: [], draft: 'a' })).toMatchObject([{ content: { why: 'paused' } }]);
    talk.when(human, 'run', {});
    expect(talk.says({ thoughts: [], draft: 'a' }, { run: 1 })).toMatchObject([{ content: { why: 'stopped' } }]);
    expect(talk.state().iterations.length).toBe(0);
  });

  test('[D5] a late result only adds to the cost, and a paused run stays paused', () => {
    const talk = dialogueWith();
    talk.message();
    talk.when(mind, 'report_wait', { run: 1, why: 'Nothing answers.', until: '2026-01-01T00:00:30.000Z' });
    talk.when(...controls(human, { pause: { on: true } }));
    const before = talk.state().run;
    expect(typesOf(talk.says({ thoughts: [] }))).toEqual(['iteration.late']);
    expect(talk.state().run).toEqual({ ...before, spent: { ...before?.spent, tokens: 15 } });
  });

  test('[D3] the same iteration is not recorded twice', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a');
    expect(talk.says({ thoughts: [], draft: 'a' }, { iter: 1 })).toEqual([]);
    expect(talk.says({ thoughts: [], draft: 'a' }, { iter: 3 })).toEqual([]);
    expect(talk.state().iterations.length).toBe(1);
  });

  test('[D3] iteration numbers have no gaps, whatever happens in between', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a', null);
    talk.when(human, 'withdraw', {});
    talk.says({ thoughts: [], draft: 'late' }, { turn: 1, run: 1 });
    talk.message();
    talk.drafts('b');
    talk.when(human, 'accept', {});
    talk.message();
    talk.says({ malformed: 'x' });
    expect(
      talk
        .state()
        .iterations.slice()
        .map(({ content }) => content.iter),
    ).toEqual([1, 2, 3, 4]);
  });

  test('[D26] each thought is put into a cluster once', () => {
    const talk = dialogueWith();
    talk.message('x', { iterations: 1 });
    talk.says({ thoughts: ['one', 'two'] });
    expect(talk.jobs()).toMatchObject([{ key: 'cluster-0', kind: 'mind.cluster', input: {} }]);
    const assignments = [1, 2].map((thought) => ({ thought, cluster: null, embedder: 'e' }));
    talk.when(human, 'report_clusters', { after: 0, assignments });
    expect(talk.jobs()).toEqual([]);
    expect(talk.when(human, 'report_clusters', { after: 0, assignments })).toEqual([]);
  });
});
