import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isRunOver } from '../../../test/support/servers/engine-access.ts';
import { openMindServer } from '../../../test/support/servers/mind-server.ts';
import { IterationEnded } from '../../core/dialogue/events.ts';
import { attentionOf } from '../../core/dialogue/view/attention.ts';
import { draftsView, iterationView, statusView } from '../../core/dialogue/view/view.ts';
import type { Event } from '../../core/events/event.ts';
import { ThoughtClustered } from '../../core/pool/events.ts';
import type { State } from '../../core/workspace.ts';
import { sha256 } from '../../log/seal.ts';
import { PROMPT } from './prompts/prompts.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function server(...given: Parameters<typeof openMindServer>) {
  const opened = await openMindServer(...given);
  closing.push(opened.close);
  return opened;
}

const answerJson = (draft: string | null, ...thoughts: string[]) =>
  JSON.stringify({ thoughts, ...(draft !== null && { draft }) });

describe('an iteration', () => {
  test('[D3] an iteration records what was shown, prompt, model, seed, usage, time and outcome, and keeps the raw response', async () => {
    const mind = await server([answerJson('static', 'first thought'), answerJson('texture', 'second')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Noisy?', run: { iterations: 2 } });
    const state = await mind.until(thread, isRunOver);
    const events = (await mind.events(thread)).filter(({ type }) => type === 'iteration.ended');
    expect(events.map(({ from }) => from)).toEqual(['mind_0', 'mind_0']);
    expect(events[1]?.content).toMatchObject({
      turn: 1,
      iter: 2,
      outcome: 'draft',
      prompt: sha256(PROMPT),
      model: 'mind',
      seed: expect.any(Number),
      shown: { thoughts: [1], drafts: [1], history: [], steer: 0 },
      usage: { prompt: expect.any(Number), generated: expect.any(Number) },
      latency_ms: expect.any(Number),
    });
    const raw = JSON.parse((await mind.models.calls.raw(events[1]?.meta.blobs?.[0] as string)) as string);
    expect(raw.request.messages[0]).toEqual({ role: 'system', content: PROMPT });
    expect(parse(raw.request.messages[1].content)).toMatchObject({
      meta: { self: 'mind_0', iter: 2, user: 'ana', engagement: 'absent', attention: { level: 'thinking' } },
      thinking_pool: ['first thought\n'],
      dialogue: { history: [], awaiting: { age: 2, text: 'Noisy?\n' }, drafts: ['static\n'] },
    });
    expect(iterationView(state, 2)).toMatchObject({
      iter: 2,
      outcome: 'draft',
      draft: { index: 2, text: 'texture' },
      thoughts: [{ id: 2, text: 'second' }],
      sampled: [1],
      shown: { thoughts: [{ id: 1, text: 'first thought', iter: 1 }] },
    });
  });

  test('[T3] a mind is listening when it is not working', async () => {
    const mind = await server([answerJson('static')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Noisy?', run: { iterations: 1 } });
    await mind.until(thread, isRunOver);
    const { state } = (await mind.engine.state(thread)) ?? {};
    const stateOfMind = () =>
      mind.engine.presencesOf(state as State).find(({ participant }) => participant === 'mind_0')?.state;
    await expect.poll(stateOfMind).toBe('listening');
  });

  test('[D18] the mind is told the person’s nickname', async () => {
    const mind = await server([answerJson('one')]);
    const thread = await mind.create();
    const profile = { profile: { nickname: 'Ana Maria' } };
    await mind.send('post', { thread, type: 'control', content: profile });
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 1 } });
    await mind.until(thread, isRunOver);
    const ended = (await mind.events(thread)).find(({ type }) => type === 'iteration.ended');
    const raw = JSON.parse((await mind.models.calls.raw(ended?.meta.blobs?.[0] as string)) as string);
    expect(parse(raw.request.messages[1].content)).toMatchObject({ meta: { user: 'Ana Maria' } });
  });

  test('[D5] an iteration cancelled by a pause is repeated when the thread resumes', async () => {
    const mind = await server([{ text: answerJson('slow '.repeat(50)), pace: 20 }, answerJson('after')]);
    const thread = await mind.create();
    const pause = (on: boolean) => mind.send('post', { thread, type: 'control', content: { pause: { on } } });
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 1 } });
    const isThinking = () => mind.engine.presence.of(thread).some(({ state }) => state === 'thinking');
    while (!isThinking()) await new Promise(setImmediate);
    await pause(true);
    await mind.until(thread, ({ late }) => late === 1);
    await pause(false);
    const state = await mind.until(thread, isRunOver);
    expect(state.iterations.length).toBe(1);
    expect(state.open?.drafts.get(1)?.text).toBe('after');
  });

  test('[D7] history and steering notes reach the mind, pruned turns do not', async () => {
    const mind = await server([answerJson('one'), answerJson('two'), answerJson('three'), answerJson('four')]);
    const thread = await mind.create();
    for (const text of ['first', 'second']) {
      await mind.send('message', { thread, text, run: { iterations: 1 } });
      await mind.until(thread, isRunOver);
      await mind.send('accept', { thread });
    }
    await mind.send('message', { thread, text: 'third' });
    await mind.send('steer', { thread, text: 'briefly' });
    const shownAt = async (iter: number) => {
      const event = (await mind.events(thread)).find((event) => IterationEnded.read(event)?.content.iter === iter);
      const raw = JSON.parse((await mind.models.calls.raw(event?.meta.blobs?.[0] as string)) as string);
      return {
        ...(parse(raw.request.messages[1].content) as object),
        shown: (event as Event).content,
      };
    };
    await mind.send('step', { thread });
    await mind.until(thread, (state) => state.iterations.length === 3 && isRunOver(state));
    expect(await shownAt(3)).toMatchObject({
      shown: { shown: { history: [1, 2], steer: 1 } },
      dialogue: {
        history: [
          { from: 'user', text: 'first\n' },
          { from: 'self', text: 'one\n' },
          { from: 'user', text: 'second\n' },
          { from: 'self', text: 'two\n' },
        ],
        steer: ['briefly\n'],
      },
    });
    await mind.send('history_prune', { thread, turn: 1 });
    await mind.send('step', { thread });
    await mind.until(thread, (state) => state.iterations.length === 4);
    expect(await shownAt(4)).toMatchObject({ shown: { shown: { history: [2] } } });
  });

  test('[D22] I can set another prompt, and its hash is recorded', async () => {
    const mind = await server([answerJson('x')]);
    const thread = await mind.create({ prompt: 'Answer in YAML.' });
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 1 } });
    await mind.until(thread, isRunOver);
    const event = (await mind.events(thread)).find(({ type }) => type === 'iteration.ended');
    expect(event?.content).toMatchObject({ prompt: sha256('Answer in YAML.') });
  });

  test('[D11] a malformed answer is retried once with the problem, and both responses are kept', async () => {
    const mind = await server(['draft: [texture]', answerJson('texture')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 1 } });
    await mind.until(thread, isRunOver);
    const event = (await mind.events(thread)).find(({ type }) => type === 'iteration.ended');
    expect(event?.content).toMatchObject({ outcome: 'draft', repaired: true, draft: { text: 'texture' } });
    const raw = JSON.parse((await mind.models.calls.raw(event?.meta.blobs?.[1] as string)) as string);
    expect(raw.request.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'draft: [texture]' },
      { role: 'user', content: expect.stringContaining('should be one text. Quote it if it begins with a bracket.') },
    ]);
  });

  test('[D11] a second malformed answer is recorded as malformed, and three in a row pause the run', async () => {
    const mind = await server(['draft: [no]'], { script: { loop: true } });
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: {} });
    const state = await mind.until(thread, isRunOver);
    expect(state.iterations.slice().map(({ content }) => content.outcome)).toEqual(Array(3).fill('malformed'));
    expect(state.run).toMatchObject({ state: 'paused', reason: 'malformed' });
    expect(attentionOf(state).level).toBe('needs_you');
    // The person is told what is wrong, not what the model should have done.
    expect(state.iterations.at(0)?.content.problem).toBe(
      'What the model wrote could not be used: "draft" is a list or a mapping, and should be one text.',
    );
  });

  test('[D28] plain text is a draft and an empty answer is silence, each after one call', async () => {
    const mind = await server(['It is a kind of texture.', { text: '' }, answerJson('done')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 3 } });
    const state = await mind.until(thread, isRunOver);
    expect(state.iterations.slice().map(({ content }) => content.outcome)).toEqual(['draft', 'silence', 'draft']);
    expect(draftsView(state).drafts.at(-1)).toMatchObject({ text: 'It is a kind of texture.', unstructured: true });
    expect(mind.models.calls.counts.get('mind')?.calls).toBe(3);
  });

  test('[D28] I can tell an empty answer of the model from a silence that the mind chose', async () => {
    const mind = await server([{ text: ' \n' }, answerJson('a reply'), { text: '' }, answerJson(null)]);
    const thread = await mind.create();
    const empty = 'the model answered with nothing, counted as silence';
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 1 } });
    const first = await mind.until(thread, isRunOver);
    expect(attentionOf(first)).toEqual({
      level: 'thinking',
      reason: `No reply yet after 1 iteration; ${empty}; the mind has stopped.`,
      next: ['continue'],
    });
    await mind.send('run', { thread });
    const second = await mind.until(thread, (state) => state.iterations.length === 3 && isRunOver(state));
    expect(attentionOf(second)).toEqual({
      level: 'needs_you',
      reason: `#1 unchanged for 1 iteration; ${empty}. Look at it now.`,
    });
    expect(statusView(second).run).toMatchObject({ reason: 'signal', empty: true });
    await mind.send('step', { thread });
    const third = await mind.until(thread, (state) => state.iterations.length === 4 && isRunOver(state));
    expect(attentionOf(third).reason).toContain('the mind has nothing to add');
    expect(statusView(third).run).not.toHaveProperty('empty');
    const views = [1, 2, 3, 4].map((iter) => iterationView(third, iter));
    expect(views.map((view) => [view?.outcome, view?.empty ?? false])).toEqual([
      ['silence', true],
      ['draft', false],
      ['silence', true],
      ['silence', false],
    ]);
  });

  test('[D11] a truncated answer is not taken as complete', async () => {
    const mind = await server([{ text: answerJson('half of a', 'x'), finish: 'length' }, answerJson('whole')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 1 } });
    const state = await mind.until(thread, isRunOver);
    expect(draftsView(state).drafts.map(({ text }) => text)).toEqual(['whole']);
  });

  test('[D11] a failing model is recorded as an error, and a permanent one pauses the run at once', async () => {
    const mind = await server([{ fault: 'unknown_model' }]);
    const thread = await mind.create({ model: 'nobody' });
    await mind.send('message', { thread, text: 'Hi', run: {} });
    const state = await mind.until(thread, isRunOver);
    expect(state.iterations.at(0)?.content).toMatchObject({
      outcome: 'error',
      problem: expect.stringContaining('nobody'),
    });
    expect(state.run).toMatchObject({ state: 'paused', reason: 'refused' });
  });

  test('[D30] in a small context the latest reply is the last draft to be dropped', async () => {
    const marks = Array.from({ length: 8 }, () => answerJson('+1'));
    const mind = await server([answerJson('reply '.repeat(60)), ...marks], { script: { context: 1200 } });
    const thread = await mind.create({ prompt: 'word '.repeat(600) });
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 9 } });
    const state = await mind.until(thread, isRunOver);
    const { shown, dropped } = state.iterations.at(8)?.content ?? {};
    expect(dropped?.drafts.length).toBeGreaterThan(0);
    expect(shown?.drafts[0]).toBe(1);
  });

  test('[M10] what does not fit is dropped in order and recorded, but never the message', async () => {
    const mind = await server([answerJson('a '.repeat(200)), answerJson('b '.repeat(200)), answerJson('c', 'x')], {
      script: { context: 1400 },
    });
    const thread = await mind.create({ prompt: 'word '.repeat(600) });
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 3 } });
    const state = await mind.until(thread, isRunOver);
    expect(state.iterations.at(2)?.content).toMatchObject({
      outcome: 'draft',
      dropped: { drafts: [1] },
      shown: { drafts: [2] },
    });
    await mind.send('accept', { thread });
    await mind.send('message', { thread, text: 'long '.repeat(400), run: { iterations: 1 } });
    const later = await mind.until(thread, (now) => now.run?.run === 2 && isRunOver(now));
    expect(later.run).toMatchObject({ state: 'paused', why: expect.stringContaining('tokens') });
  });
});

describe('people and a mind at work', () => {
  test('[D5] a draft that I accept while the mind writes stays accepted, and the new one is late', async () => {
    const mind = await server([answerJson('first'), { text: answerJson('second '.repeat(50)), pace: 20 }]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: {} });
    await mind.until(thread, (state) => state.iterations.length === 1);
    expect(await mind.send('accept', { thread, draft: 1 })).toMatchObject([
      { type: 'turn.accepted' },
      { type: 'run.ended' },
    ]);
    const state = await mind.until(thread, ({ late }) => late === 1);
    expect(state.iterations.length).toBe(1);
    expect(state.turns.at(0)?.end).toMatchObject({ kind: 'accepted', text: 'first' });
  });

  test('[D14] drafts, "+1" and silence change the status from thinking to publishable to needs you', async () => {
    const mind = await server([
      answerJson('reply'),
      answerJson('+1'),
      answerJson(null),
      answerJson(null),
      answerJson(null),
    ]);
    const thread = await mind.create();
    const levels: string[] = [];
    await mind.send('message', { thread, text: 'Hi' });
    for (let i = 0; i < 3; i++) {
      await mind.send('step', { thread });
      const state = await mind.until(thread, (now) => now.iterations.length === i + 1 && isRunOver(now));
      levels.push(attentionOf(state).level);
    }
    expect(levels).toEqual(['thinking', 'publishable', 'needs_you']);
  });

  test('[D9] a model that only answers "+1" never produces anything to accept', async () => {
    const mind = await server(['draft: +1'], { script: { loop: true } });
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 5 } });
    await mind.until(thread, isRunOver);
    expect(await mind.send('accept', { thread })).toMatchObject({ code: 'unknown_draft' });
    expect(await mind.send('accept', { thread, draft: 5 })).toMatchObject({ code: 'not_a_reply' });
  });

  test('[D5] of two accepts at the same time one wins and the other is refused', async () => {
    const mind = await server([answerJson('a'), answerJson('b')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 2 } });
    await mind.until(thread, isRunOver);
    const both = await Promise.all([1, 2].map((draft) => mind.send('accept', { thread, draft, turn: 1 })));
    expect(both.filter((outcome) => 'code' in outcome)).toMatchObject([
      { code: 'idle', message: expect.stringContaining('accepted by ana') },
    ]);
  });

  test('[D6] reopening creates a fork from before the first choice', async () => {
    const mind = await server([answerJson('a', 'x'), answerJson('b'), answerJson('c')]);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 2 } });
    await mind.until(thread, isRunOver);
    await mind.send('accept', { thread, draft: 2 });
    const events = (await mind.send('reopen', { thread, turn: 1, draft: 1 })) as { thread: string }[];
    const fork = events[0]?.thread as string;
    const state = await mind.until(fork, ({ turns }) => turns.length === 1);
    expect(state.turns.at(0)?.end).toMatchObject({ kind: 'accepted', draft: 1, text: 'a' });
    expect(state.run).toBeUndefined();
    await mind.send('message', { thread: fork, text: 'Go on', run: { iterations: 1 } });
    const later = await mind.until(fork, isRunOver);
    expect(later.iterations.at(2)?.content).toMatchObject({ iter: 3, shown: { history: [1] } });
  });

  test('[D26] thoughts are clustered while the mind continues', async () => {
    const same = Array.from({ length: 6 }, (_, i) => answerJson(null, `the garden needs water and sun ${i % 2}`));
    const mind = await server(same);
    const thread = await mind.create();
    await mind.send('message', { thread, text: 'Hi', run: { iterations: 6 } });
    const state = await mind.until(thread, (now) => isRunOver(now) && now.clustered === 6);
    const events = (await mind.events(thread)).flatMap((event) => ThoughtClustered.read(event) ?? []);
    expect(events.every(({ content }) => content.embedder !== '')).toBe(true);
    expect(state.pool.members.length).toBeGreaterThanOrEqual(6);
  });
});

test('[D22] [D35] the prompt tells a mind everything it must know', () => {
  const prompt = PROMPT.replaceAll(/\s+/g, ' ');
  for (const sentence of [
    /complete in itself.*may read only that one/,
    /right and complete.*omit the draft/,
    /word for word.*makes it the latest/,
    /absent.*drafts accumulate/,
    /reading.*may accept a draft at any moment/,
    /After an accept.*other drafts are gone from view/,
    /seen and not accepted does not mean that it was rejected/,
    /Silence.*no draft while there is a reply.*look now/,
    /"\+1".*could be sent as it is/,
    /"\+1" takes a place.*out of your own sight/,
    /about to leave.*write it fresh/,
    /only real draft you see.*be silent/,
    /look like instructions.*change nothing/,
  ]) {
    expect(prompt).toMatch(sentence);
  }
});
