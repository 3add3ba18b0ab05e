import { describe, expect, onTestFinished, test } from 'vitest';
import { accountOf, sentences } from '../../../test/support/servers/accounts.ts';
import { isRunOver } from '../../../test/support/servers/engine-access.ts';
import { openExchangeServer, thoughtsJson as thinks } from '../../../test/support/servers/exchange-server.ts';
import { openMindServer } from '../../../test/support/servers/mind-server.ts';
import type { Event } from '../../core/events/event.ts';
import { termsText } from '../../core/exchange/terms/terms-text.ts';
import { sha256 } from '../../log/seal.ts';
import { PROMPT } from '../dialogue/prompts/prompts.ts';
import { explain } from './explain.ts';

describe('in a dialogue', () => {
  const answerJson = (draft: string | null, ...thoughts: string[]) =>
    JSON.stringify({ thoughts, ...(draft !== null && { draft }) });

  async function openDialogue() {
    const mind = await openMindServer([
      answerJson('It hums. It is warm.', 'a hum'),
      answerJson('It hums. It is cold.', 'a cold'),
      answerJson(null, 'only thought'),
    ]);
    onTestFinished(mind.close);
    const thread = await mind.create({ temperature: 0.5 });
    await mind.send('message', { thread, text: 'What is it like?', run: { iterations: 3 } });
    await mind.until(thread, isRunOver);
    return { mind, thread, at: (place: string) => `/dialogue/${thread}#${place}` };
  }

  test('[I28] [D27] a sentence of a draft leads to the draft, call and thoughts where it first appeared', async () => {
    const { mind, at } = await openDialogue();
    const account = await accountOf(mind.engine, at('1.2'), 3);
    expect(account).toMatchObject({
      what: 'Draft #2 of turn 1',
      author: { id: 'mind_0', kind: 'agent', model: 'mind' },
      at: { from: 0, to: 8 },
      terms: { hash: sha256(PROMPT) },
    });
    expect(sentences(account)).toEqual([
      'ana asked: “What is it like?”',
      'mind_0 wrote draft #2 in iteration 2, with the model "mind".',
      'The sentence first appeared in draft #1, iteration 1, and in 1 later.',
    ]);
    expect(account.steps.at(-1)?.link).toBe(at('1.1'));
    const own = await accountOf(mind.engine, at('1.2'), 12);
    expect(sentences(own).at(-1)).toBe('The sentence first appeared in this draft.');
    expect(own.shown).toMatchObject({
      what: 'Its input was the message, 1 thought and 1 draft.',
      pieces: [
        { what: 'thought 1: a hum', link: at('thought.1') },
        { what: 'draft #1', link: at('1.1') },
      ],
    });
    expect(own.call).toMatchObject({ settings: { temperature: 0.5, seed: expect.any(Number) }, raw: { kept: true } });
    const whole = await accountOf(mind.engine, at('1.2'), 12, true);
    expect(whole.shown?.messages?.[0]).toEqual({ role: 'system', text: PROMPT });
    expect(whole.shown?.messages?.[1]?.text).toContain('a hum');
  });

  test('[I28] [D5] in an accepted turn the person’s changes are the person’s, without a call', async () => {
    const { mind, thread, at } = await openDialogue();
    await mind.send('accept', { thread, draft: 2, text: 'It hums. It is very cold.' });
    const persons = await accountOf(mind.engine, at('1.2'), 16);
    expect(persons).toMatchObject({ what: 'Draft #2 of turn 1, accepted', author: { id: 'ana', kind: 'human' } });
    expect(persons.text.slice(persons.at?.from, persons.at?.to)).toBe('very ');
    expect(persons.call).toBeUndefined();
    expect(persons.proof.rests).toMatchObject([{ what: 'the iteration that wrote the draft' }]);
    const minds = await accountOf(mind.engine, at('1.2'), 2);
    expect(minds).toMatchObject({ author: { id: 'mind_0' }, call: { model: 'mind' } });
    expect(sentences(minds)).toContain('ana accepted it with changes: 5 characters of 25 are ana’s.');
  });

  test('[I28] [D3] thoughts, turns and events can be explained by their ids', async () => {
    const { mind, thread, at } = await openDialogue();
    const thought = await accountOf(mind.engine, at('thought.2'));
    expect(thought).toMatchObject({ text: 'a cold', author: { id: 'mind_0', model: 'mind' }, call: { model: 'mind' } });
    expect(sentences(thought)).toEqual([
      'mind_0 wrote it in iteration 2, with the model "mind", while turn 1 was open.',
      'It also wrote draft #2.',
    ]);
    expect(await accountOf(mind.engine, at('1'))).toMatchObject({ text: 'What is it like?', author: { id: 'ana' } });
    const events = await mind.events(thread);
    const iterations = events.filter(({ type }) => type === 'iteration.ended');
    expect((await accountOf(mind.engine, at(iterations[0]?.id ?? ''))).link).toBe(at('1.1'));
    expect((await accountOf(mind.engine, at(iterations[2]?.id ?? ''))).link).toBe(at('thought.3'));
    const configured = events.find(({ type }) => type === 'dialogue.configured') as Event;
    expect(thought.terms).toMatchObject({ link: at(configured.id), what: /prompt that comes with Heddle.*by ana/ });
    expect(await accountOf(mind.engine, at('iteration.2'))).toMatchObject({
      what: 'Iteration 2',
      call: { model: 'mind' },
    });
    for (const place of ['2', '1.9', 'thought.9', 'iteration.9', 'audit.1']) {
      expect(await explain(mind.engine, { link: at(place), whole: false })).toHaveProperty('refusal');
    }
  });
});

describe('in an exchange', () => {
  async function runExchange() {
    const pool = await openExchangeServer({
      red: [thinks('the sea is red'), thinks('the sea is warm')],
      blue: [thinks('the sky is blue')],
      auditor: ['The sea [#1]. The sky [#2], and more [#77].'],
    });
    onTestFinished(pool.close);
    const minds = ['red', 'blue'].map((model, i) => ({ id: `mind_${i}`, model }));
    const thread = await pool.create({ minds, audit_every: 2 });
    await pool.send('inject', { thread, text: 'Look at the sea' });
    await pool.send('run', { thread, rounds: 2, seed: 5 });
    await pool.until(thread, isRunOver);
    return { pool, thread, at: (place: string) => `/exchange/${thread}#${place}` };
  }

  test('[I28] [X3] [X4] an audit shows what each statement cites, its call, its terms and its hash', async () => {
    const { pool, thread, at } = await runExchange();
    const account = await accountOf(pool.engine, at('audit.1'));
    expect(account).toMatchObject({
      what: 'Audit 1',
      author: { id: 'auditor', kind: 'agent', model: 'auditor' },
      call: { model: 'auditor', raw: { kept: true } },
      shown: { what: 'Its input was the terms, the latest entries, and 4 thoughts.' },
      terms: { version: 1, link: at('terms.1') },
    });
    const state = await pool.state(thread);
    expect(account.terms?.hash).toBe(state.terms.at(0)?.hashes.terms);
    expect(account.steps.filter(({ what }) => what.startsWith('It rests on')).map(({ link }) => link)).toEqual([
      at('thought.1'),
      at('thought.2'),
    ]);
    expect(sentences(account)).toContain('It cites thoughts that do not exist: #77.');
    const sea = await accountOf(pool.engine, at('audit.1'), 2);
    expect(sea.steps.filter(({ what }) => what.startsWith('It rests on')).map(({ link }) => link)).toEqual([
      at('thought.1'),
    ]);
    expect(account.proof.checks).toContainEqual({ what: 'The text matches its recorded hash.', holds: true });
  });

  test('[I28] [X1] [X5] a thought and a round show their mind and model, and who hid the thought', async () => {
    const { pool, thread, at } = await runExchange();
    await pool.send('veto', { thread, thought: 2, reason: 'Not now.' });
    const thought = await accountOf(pool.engine, at('thought.2'));
    expect(thought).toMatchObject({ author: { id: 'mind_1', model: 'blue' }, terms: { version: 1 } });
    expect(sentences(thought)).toEqual([
      'mind_1 wrote it in round 1, with the model "blue".',
      'ana hid it from sampling: Not now.',
    ]);
    const round = await accountOf(pool.engine, at('round.1'));
    expect(round).toMatchObject({ text: 'the sea is red\nthe sky is blue\n', author: { id: 'mind_0 and mind_1' } });
    const blue = await accountOf(pool.engine, at('round.1'), 20);
    expect(blue).toMatchObject({ author: { id: 'mind_1', model: 'blue' }, call: { model: 'blue' } });
  });

  test('[I28] [X2] [X3] terms and words from outside show who wrote them, why and since when', async () => {
    const { pool, thread, at } = await runExchange();
    await pool.send('amend', { thread, set: { audit_every: 5 }, reason: 'Fewer letters.' });
    const terms = await accountOf(pool.engine, at('terms'));
    const { terms: now } = (await pool.state(thread)).terms.at(1) as { terms: Parameters<typeof termsText>[0] };
    expect(terms).toMatchObject({ link: at('terms.2'), text: termsText(now), author: { id: 'ana', kind: 'human' } });
    expect(sentences(terms)).toEqual([
      'ana changed audit_every.',
      'The reason was: Fewer letters.',
      'It was announced to the minds in round 3 and applies from round 4.',
      'It came after an earlier version.',
    ]);
    const events = await pool.events(thread);
    const injection = events.find(({ type }) => type === 'injection.made') as Event;
    expect(await accountOf(pool.engine, at(injection.id))).toMatchObject({
      what: 'An injection',
      author: { id: 'ana' },
    });
    const written = events.find(({ type }) => type === 'audit.written') as Event;
    expect((await accountOf(pool.engine, at(written.id))).link).toBe(at('audit.1'));
    for (const place of ['round.9', 'audit.9', 'thought.9', 'terms.9', '1.1']) {
      expect(await explain(pool.engine, { link: at(place), whole: false })).toHaveProperty('refusal');
    }
  });
});
