import type { ServerResponse } from 'node:http';
import type { FakeStep } from '../../support/models/fake-models.ts';
import { costOf } from '../cost.ts';
import { type House, HUMAN, hasWords, SCOUT } from '../house.ts';
import type { Scene, Tactic } from '../tactic.ts';
import { BAITS } from '../values.ts';
import { waitForEvent } from '../waiting.ts';

const HUGE_BYTES = 34 * 1024 * 1024;
/** More than any honest answer of this house could have cost. */
const ABSURD_TOKENS = 1e9;

/** A provider of models that lies about what it used, never stops, breaks off, or answers with bait. */
export const provider: Tactic = {
  name: 'provider',
  rules: '[M6] [M13] [T31]',
  alone: true,
  async run(scene) {
    const { house, find } = scene;
    const faults: readonly (readonly [what: string, step: FakeStep])[] = [
      ['usage of 9e15 tokens', said('Hello', { prompt_tokens: 9e15, completion_tokens: 9e15 })],
      ['a usage below zero', said('Hello', { prompt_tokens: -5, completion_tokens: -5 })],
      ['a usage that is text', said('Hello', { prompt_tokens: 'many', completion_tokens: {} })],
      ['more than 32 MiB', huge()],
      // A model that fails again and again is left alone for a while, so these come last.
      ['a stream that breaks off', { text: 'Hello, this goes on for a while', fault: 'cut', after: 3 }],
      ['lines without end', { text: 'x', fault: 'long_line' }],
      ['JSON that is none', { text: 'x', fault: 'bad_json' }],
      ['bytes that are no text', { text: 'x', fault: 'wrong_encoding' }],
      ['a web page', { fault: 'web_page' }],
    ];
    await mustGrow(scene);
    for (const [what, step] of faults) await mustCount(scene, what, step);
    const { models } = await house.as(HUMAN);
    // Tests ask even a model that is left alone: those who come after find it as it was.
    await models.test('evil', { n: 1 });
    const { total } = await models.usage();
    if (total.promptTokens + total.generatedTokens > ABSURD_TOKENS || total.cost < 0)
      find('a provider’s absurd usage is believed', total);
  },
};

/** Whatever it answers, the wake ends, or waits until it is stopped; few calls are made for it, and they are counted. */
async function mustCount({ house, find }: Scene, what: string, step: FakeStep) {
  const human = await house.as(HUMAN);
  const before = (await human.models.usage()).total;
  const words = `Answer with ${what}.`;
  house.answers.set(words, step);
  if (!(await askScout(house, words))) find(`an answer with ${what} leaves its question open`);
  const asked = house.models.requests.filter((request) => hasWords(request, words)).length;
  const { calls, generatedTokens } = (await human.models.usage()).total;
  if (calls - before.calls < Math.min(asked, 1)) find(`calls answered with ${what} are not counted`, { asked, calls });
  if (!what.includes('MiB')) return;
  if (asked === 0) find('the provider was never asked', what);
  if (asked > 2) find(`an answer with ${what} is asked for again and again`, { asked });
  if (generatedTokens === before.generatedTokens) find(`an answer with ${what} is not counted`, { asked });
}

/** Bait in an answer costs twice as much when it is twice as long, and not four times. */
async function mustGrow({ house, find }: Scene) {
  for (const name of ['spaces', 'line ends', 'dots'] as const) {
    const bait = BAITS[name] as (length: number) => string;
    const cost = (length: number) => {
      const words = `Answer with ${length} ${name}.`;
      house.answers.set(words, { text: bait(length) });
      return costOf(house, () => askScout(house, words));
    };
    const [half, whole] = [await cost(20_000), await cost(40_000)];
    if (whole > 0.5 && whole / half > 3)
      find(`a model’s answer of ${name} costs four times as much when it is twice as long`, { half, whole });
  }
}

async function askScout(house: House, words: string): Promise<boolean> {
  const human = await house.as(HUMAN);
  const lab = human.thread(house.places.lab);
  const { event } = await lab.post({ type: 'message', content: `@${SCOUT} ${words}`, to: SCOUT });
  const isOf = (...types: string[]) => {
    return ({ type, content }: { type: string; content: unknown }) =>
      types.includes(type) && (content as { event?: string }).event === event.id;
  };
  const first = await waitForEvent(house, house.places.lab, isOf('wake.closed', 'wake.waiting'));
  if (first?.type !== 'wake.waiting') return first !== undefined;
  await lab.command('stop_answer', { participant: SCOUT });
  return (await waitForEvent(house, house.places.lab, isOf('wake.closed'))) !== undefined;
}

/** One chunk of text and a usage of the provider's choice, as OpenAI's chat writes them. */
function said(text: string, usage: object): FakeStep {
  return {
    async write(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }));
      response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }));
      response.end('data: [DONE]\n\n');
    },
  };
}

function huge(): FakeStep {
  const piece = frame({ choices: [{ index: 0, delta: { content: 'word '.repeat(13_000) }, finish_reason: null }] });
  return {
    async write(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let sent = 0; sent < HUGE_BYTES && !response.destroyed; sent += piece.length) await drained(response, piece);
      response.end('data: [DONE]\n\n');
    },
  };
}

function drained(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.write(text, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}

function frame(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'evil', created: 1, ...chunk })}\n\n`;
}
