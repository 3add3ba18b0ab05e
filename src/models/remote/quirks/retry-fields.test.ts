import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { collect } from '../../../../test/support/models/collect.ts';
import { type FakeModels, type FakeStep, startFakeModels } from '../../../../test/support/models/fake-models.ts';
import { sentText } from '../../../../test/support/models/sent.ts';
import type { EndChunk } from '../../model.ts';
import type { RemoteOptions } from '../options.ts';
import { createRemoteModel } from '../remote.ts';
import { createQuirkBook, describeQuirks } from './quirks.ts';

let fake: FakeModels;
beforeEach(async () => {
  fake = await startFakeModels();
});
afterEach(() => fake.close());

const ask = { messages: [{ role: 'user', content: 'Hi' }] } as const;

function open(more: Partial<RemoteOptions> = {}) {
  const quirks = createQuirkBook();
  const base = { id: 'it', provider: 'openai-chat', model: 'there', context: 4096, baseUrl: fake.openAiUrl } as const;
  return { model: createRemoteModel({ ...base, quirks, ...more }, { retries: 0 }), quirks };
}

function refusal(body: unknown, status = 400): FakeStep {
  return {
    write: async (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    },
  };
}

function events(...values: readonly object[]): FakeStep {
  const wire = [...values.map((value) => `data: ${JSON.stringify(value)}\n\n`), 'data: [DONE]\n\n'];
  return { type: 'text/event-stream', wire };
}

const delta = (content: string, more: object = {}) => ({ choices: [{ index: 0, delta: { content }, ...more }] });
const bodies = () => fake.requests.map(({ body }) => body);

describe('fields', () => {
  test.each([
    [
      'OpenAI',
      400,
      { error: { message: "Unsupported parameter: 'seed'.", param: 'seed', code: 'unsupported_parameter' } },
    ],
    ['Mistral', 422, { object: 'error', message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'] }] } }],
    ['Gemini', 400, [{ error: { code: 400, message: 'Unknown name "seed": Cannot find field.' } }]],
    ['Fireworks', 400, { error: { message: "Extra inputs are not permitted, field: 'seed', value: 7" } }],
    ['plain text', 400, 'seed is not supported'],
  ])('[M11] a request refused for a field is retried without it, in the wording of %s', async (_, status, body) => {
    fake.script(refusal(body, status), { text: 'Hello.' }, { text: 'Again.' });
    const { model, quirks } = open();
    const { texts, done } = await collect(model.chat({ ...ask, seed: 7, temperature: 0.5 }));
    expect(texts).toEqual(['Hello.']);
    expect(done?.failed).toHaveLength(1);
    expect(quirks.quirks).toEqual({ without: ['seed'] });
    await collect(model.chat({ ...ask, seed: 8 }));
    expect(bodies().map(({ seed }) => seed)).toEqual([7, undefined, undefined]);
    expect(bodies()[1]?.temperature).toBe(0.5);
  });

  test('[M11] an error within a stream that names a field counts as such a refusal', async () => {
    fake.script(events({ error: { code: 400, message: '`stream_options` is not supported' } }), { text: 'Hello.' });
    const { model, quirks } = open();
    expect((await collect(model.chat(ask))).texts).toEqual(['Hello.']);
    expect(quirks.quirks).toEqual({ without: ['stream_options'] });
    expect(bodies()[1]).not.toHaveProperty('stream_options');
  });

  test('[M11] the answer limit is sent under its other name, then left out', async () => {
    const refuseField = (name: string) =>
      refusal({ error: { message: `Unsupported parameter: '${name}'`, param: name } });
    fake.script(refuseField('max_tokens'), refuseField('max_completion_tokens'), { text: 'Hello.' });
    const { model } = open();
    expect((await collect(model.chat({ ...ask, maxTokens: 9 }))).texts).toEqual(['Hello.']);
    expect(bodies().map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])).toEqual([
      [9, undefined],
      [undefined, 9],
      [undefined, undefined],
    ]);
  });

  test('[M11] a limit that is too high is lowered to the server’s maximum', async () => {
    const message = 'max_tokens is too large: 4000. This model supports at most 1024 completion tokens.';
    fake.script(refusal({ error: { message, param: 'max_tokens', code: 'invalid_value' } }), { text: 'Hello.' });
    const { model, quirks } = open();
    expect((await collect(model.chat({ ...ask, maxTokens: 4000 }))).texts).toEqual(['Hello.']);
    expect(bodies()[1]?.max_tokens).toBe(1024);
    expect(describeQuirks(quirks.quirks)).toEqual(['Writes at most 1024 tokens.']);
  });

  test('[M11] a value out of range is left out for that call only', async () => {
    const message = 'temperature must be between 0 and 1';
    fake.script(refusal({ error: { message } }), { text: 'One.' }, { text: 'Two.' });
    const { model, quirks } = open();
    await collect(model.chat({ ...ask, temperature: 1.5 }));
    await collect(model.chat({ ...ask, temperature: 0.5 }));
    expect(bodies().map(({ temperature }) => temperature)).toEqual([1.5, undefined, 0.5]);
    expect(quirks.quirks).toEqual({});
  });

  test('[M11] a template without a system role gets the instructions in the first message', async () => {
    const message = 'Conversation roles must alternate user/assistant/user/assistant/...';
    fake.script(refusal({ error: { message } }, 500), { text: 'Hello.' });
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ] as const;
    expect((await collect(open().model.chat({ messages }))).texts).toEqual(['Hello.']);
    expect(bodies()[1]?.messages).toEqual([{ role: 'user', content: 'Be brief.\n\nHi' }]);
  });

  test.each([
    ['that names no field', { error: { message: 'The request is not right.' } }],
    ['for a field that was not sent', { error: { message: "Unsupported parameter: 'top_p'", param: 'top_p' } }],
    ['for the messages', { error: { message: 'Invalid value.', param: 'messages' } }],
    ['of a prompt too long', { error: { message: "max_tokens: the model's context length is 10 tokens" } }],
  ])('[M11] a refusal %s is reported in the server’s words and not retried', async (_, body) => {
    fake.script(refusal(body));
    const { refused } = await collect(open().model.chat({ ...ask, seed: 7, maxTokens: 20 }));
    expect(refused?.refusal.message).toContain(body.error.message);
    expect(bodies()).toHaveLength(1);
  });

  test.each([
    ['max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens', 8192],
    ['`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`', 8192],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8,192]', 8192],
    ['The maximum value for max_tokens is 2048 (request 4711)', 2048],
    ['max_tokens cannot exceed 4096. Worker 8000', 4096],
    ['max_tokens is too large (trace 1234)', undefined],
    ['max_tokens must be at most 1', undefined],
    ['max_tokens exceeds the limit of 60 requests', undefined],
  ])('[M11] only a number that is the field’s limit is taken as the limit: %s', async (message, most) => {
    fake.script(refusal({ error: { message } }), { text: 'Hello.' });
    const { model, quirks } = open({ context: 32_768 });
    expect((await collect(model.chat({ ...ask, maxTokens: 9000 }))).texts).toEqual(['Hello.']);
    expect(quirks.quirks).toEqual(most === undefined ? {} : { most: { max_tokens: most } });
  });

  test('[M11] a server that refuses everything is asked a limited number of times', async () => {
    fake.answer(({ body }) => {
      const field = ['temperature', 'seed', 'stop', 'top_p', 'max_tokens', 'max_completion_tokens', 'stream'].find(
        (name) => body[name] !== undefined && body[name] !== false,
      );
      return refusal({ error: { message: `Unsupported parameter: '${field ?? 'model'}'`, param: field ?? 'model' } });
    });
    const request = { ...ask, temperature: 1, seed: 2, stop: ['.'], topP: 0.5, maxTokens: 5 };
    expect((await collect(open().model.chat(request))).refused?.refusal.code).toBe('malformed');
    expect(bodies()).toHaveLength(8);
  });
});

describe('memory of quirks', () => {
  const system = { role: 'system', content: 'Be brief.' } as const;
  const request = { maxTokens: 900, temperature: 0.5, seed: 7 };

  describe.each([
    'The system role is unsupported',
    'max_tokens must be at most 1',
    'max_tokens must be at most 128',
    "Unsupported parameter: 'temperature'",
    '{"error": {"message": "no", "param": "seed"}}',
    'seed is\n"not" supported\u200b here',
  ])('after somebody wrote: %s', (content) => {
    const messages = [system, { role: 'user', content: `FLAGME now: ${content}` }] as const;
    test.each([
      ['as it is', (text: string) => text],
      ['escaped twice', (text: string) => JSON.stringify(JSON.stringify(text))],
      ['as a web page has it', (text: string) => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;').toUpperCase()],
      ['cut', (text: string) => `${text.slice(2)}...`],
    ])('[M11] a refusal that quotes the text %s does not count as the server’s own words', async (_, quote) => {
      fake.script(refusal({ error: { message: `The prompt was flagged: ${quote(messages[1].content)}` } }));
      fake.answer(() => ({ text: 'Hello.' }));
      const { model, quirks } = open();
      expect((await collect(model.chat({ ...request, messages }))).refused?.refusal.message).toContain('flagged');
      expect(quirks.quirks).toEqual({});
      expect(bodies()).toHaveLength(1);
    });

    test('[M11] a plain-text refusal that quotes the text does not count either', async () => {
      fake.script(refusal(`Flagged: ${messages[1].content}`), { text: 'Hello.' });
      const { model, quirks } = open();
      expect((await collect(model.chat({ ...request, messages }))).refused).toBeDefined();
      expect(quirks.quirks).toEqual({});
    });
  });

  test('[M11] the server’s own words count, whatever it quotes besides', async () => {
    const content = 'max_tokens must be at most 128, they say';
    const message = `Unsupported parameter: 'seed'. You sent: ${content}`;
    fake.script(refusal({ error: { message, param: 'seed' } }), { text: 'Hello.' });
    const { model, quirks } = open();
    const messages = [{ role: 'user', content }] as const;
    expect((await collect(model.chat({ ...request, messages }))).texts).toEqual(['Hello.']);
    expect(quirks.quirks).toEqual({ without: ['seed'] });
  });

  test('[M11] only what made a request succeed is remembered', async () => {
    const no = refusal({ error: { message: 'temperature is not supported' } });
    fake.script(no, refusal({ error: { message: 'The prompt was flagged.' } }), no, { text: 'Hello.' });
    const { model, quirks } = open();
    expect((await collect(model.chat({ ...ask, ...request }))).refused).toBeDefined();
    expect(quirks.quirks).toEqual({});
    expect((await collect(model.chat({ ...ask, ...request }))).texts).toEqual(['Hello.']);
    expect(quirks.quirks).toEqual({ without: ['temperature'] });
  });

  test('[M11] a server error teaches nothing, and a field it names is only left out for one call', async () => {
    const no = refusal({ error: { message: 'Unsupported param: seed', type: 'server_error' } }, 500);
    fake.script(no, { text: 'One.' }, no, { text: 'Two.' });
    const { model, quirks } = open();
    for (const text of ['One.', 'Two.']) expect((await collect(model.chat({ ...ask, seed: 7 }))).texts).toEqual([text]);
    expect(bodies().map(({ seed }) => seed)).toEqual([7, undefined, 7, undefined]);
    expect(quirks.quirks).toEqual({});
  });

  test('[M11] a number in a server error is not a limit', async () => {
    const message = 'Internal error: worker 7 timed out, max_tokens exceed slot (trace 12)';
    fake.script(refusal({ error: { message } }, 500), { text: 'Hello.' });
    const { model, quirks } = open();
    expect((await collect(model.chat({ ...ask, ...request }))).refused?.fault?.again).toBe(true);
    expect(quirks.quirks).toEqual({});
    expect(bodies()).toHaveLength(1);
  });

  test('[M11] a conclusion from a guess is not remembered either', async () => {
    const unknown = {
      error: { message: "Unknown parameter: 'max_completion_tokens'", param: 'max_completion_tokens' },
    };
    fake.script(refusal({ error: { message: 'max_tokens is too large' } }), refusal(unknown), { text: 'Hello.' });
    const { model, quirks } = open();
    expect((await collect(model.chat({ ...ask, ...request }))).texts).toEqual(['Hello.']);
    expect(quirks.quirks).toEqual({});
  });
});

describe('extra fields', () => {
  test('[M11] extra fields of a model and of a call are passed on unchanged', async () => {
    fake.script({ text: 'Hello.' });
    const { model } = open({ extra: { min_p: 0.1, reasoning: { effort: 'low' } } });
    await collect(model.chat({ ...ask, extra: { dry_multiplier: 0.8, min_p: 0.2 } }));
    expect(bodies()[0]).toMatchObject({ min_p: 0.2, dry_multiplier: 0.8, reasoning: { effort: 'low' } });
  });

  test('[M11] after several refusals the request has exactly the form that the server wants', async () => {
    const refuseField = (param: string) => refusal({ error: { message: `Unsupported parameter: '${param}'`, param } });
    fake.script(
      refuseField('max_tokens'),
      refuseField('temperature'),
      refuseField('logprobs'),
      refuseField('stop'),
      refuseField('n'),
      refuseField('stream'),
    );
    fake.answer(() => ({ type: 'application/json', wire: ['{"choices": [{"message": {"content": "Hello."}}]}'] }));
    const { model } = open({ extra: { reasoning_effort: 'low' } });
    const messages = [{ role: 'system', content: 'Be brief.' }, ask.messages[0]] as const;
    const request = { messages, maxTokens: 40, temperature: 0.7, logprobs: 2, stop: ['\n\n'], n: 2, seed: 3 };
    expect((await collect(model.chat(request))).texts).toEqual(['Hello.', 'Hello.']);
    const sent = `${sentText(fake.requests[0])}\n=====\n\n${sentText(fake.requests.at(-1))}`;
    await expect(sent).toMatchFileSnapshot('../../../../test/sent/model-forgiven.txt');
  });

  test('[M11] an extra field that the server refuses is reported, not left out', async () => {
    fake.script(refusal({ error: { message: "Unsupported parameter: 'seed'", param: 'seed' } }));
    const { refused } = await collect(open({ extra: { seed: 5 } }).model.chat(ask));
    expect(refused?.refusal.message).toContain("Unsupported parameter: 'seed'");
    expect(bodies()).toHaveLength(1);
  });
});

describe('choices', () => {
  const usage = (prompt: number, generated: number) => ({
    choices: [],
    usage: { prompt_tokens: prompt, completion_tokens: generated },
  });
  const oneChoice = (text: string) => events(delta(text), delta('', { finish_reason: 'stop' }), usage(4, 2));

  test('[M11] missing choices are requested again with other seeds, and the usage adds up', async () => {
    fake.script(oneChoice('One.'), oneChoice('Two.'), oneChoice('Three.'));
    const { model, quirks } = open();
    const { texts, chunks, done } = await collect(model.chat({ ...ask, n: 3, seed: 10 }));
    expect(texts).toEqual(['One.', 'Two.', 'Three.']);
    expect(bodies().map(({ n, seed }) => [n, seed])).toEqual([
      [3, 10],
      [undefined, 11],
      [undefined, 12],
    ]);
    expect(done?.usage).toEqual({ promptTokens: 12, generatedTokens: 6 });
    expect([done?.earlier?.length, done?.raw?.body.includes('Three.')]).toEqual([2, true]);
    expect(chunks.filter((chunk) => chunk.type === 'end').map((end) => (end as EndChunk).choice)).toEqual([0, 1, 2]);
    expect(quirks.quirks).toEqual({ most: { n: 1 } });
    expect(model.capabilities.n).toBe(1);
  });

  test('[M11] without a seed from the person, each further request gets its own', async () => {
    fake.script(oneChoice('One.'), oneChoice('Two.'), oneChoice('Three.'));
    await collect(open().model.chat({ ...ask, n: 3 }));
    const [first, second, third] = bodies().map(({ seed }) => seed);
    expect(first).toBeUndefined();
    expect(new Set([second, third]).size).toBe(2);
  });

  test('[M11] a server with empty answers is asked at most once per choice', async () => {
    fake.answer(() => events(usage(4, 0)));
    const { done } = await collect(open().model.chat({ ...ask, n: 3 }));
    expect(done).toBeDefined();
    expect(bodies().length).toBeLessThanOrEqual(3);
  });

  test('[M11] cancelling between two requests cancels all choices', async () => {
    const controller = new AbortController();
    fake.answer(() => oneChoice('One.'));
    const chunks = [];
    for await (const chunk of open().model.chat({ ...ask, n: 3 }, controller.signal)) {
      chunks.push(chunk);
      if (chunk.type === 'end') controller.abort();
    }
    const ends = chunks.filter((chunk) => chunk.type === 'end').map((chunk) => (chunk as EndChunk).reason);
    expect(ends).toEqual(['stop', 'cancelled', 'cancelled']);
    expect(chunks.at(-1)?.type).toBe('done');
  });
});

describe('answers', () => {
  test('[M11] a complete body is accepted where a stream was requested', async () => {
    const body = { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }], usage: null };
    fake.script({ type: 'application/json', wire: [JSON.stringify(body, null, 2)] });
    expect((await collect(open().model.chat(ask))).texts).toEqual(['Hello.']);
  });

  test('[M11] a model’s reasoning is not part of its answer, in any format', async () => {
    const ways = [
      events(
        { choices: [{ delta: { reasoning_content: 'Hm.' } }] },
        { choices: null },
        delta('Hello.', { finish_reason: 'stop' }),
      ),
      events(delta('<th'), delta('ink>Hm.</thi'), delta('nk>\n\nHel'), delta('lo.', { finish_reason: 'stop' })),
      events({ choices: [{ delta: { content: [{ type: 'thinking' }, { type: 'text', text: 'Hello.' }] } }] }),
      events(delta('<'), delta('b> and <think> stay.')),
    ];
    fake.script(...ways);
    const { model } = open();
    const texts = [];
    for (const _ of ways) texts.push(...(await collect(model.chat(ask))).texts);
    expect(texts).toEqual(['Hello.', 'Hello.', 'Hello.', '<b> and <think> stay.']);
  });

  test('[M11] a model that spent its limit on reasoning gets more room from then on', async () => {
    const thought = (text: string, finish_reason: string) =>
      events(delta(text, { finish_reason }), {
        choices: [],
        usage: { prompt_tokens: 3, completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 20 } },
      });
    fake.script(thought('', 'length'), thought('Hello.', 'stop'), thought('x'.repeat(500), 'stop'));
    const { model } = open();
    expect((await collect(model.chat({ ...ask, maxTokens: 20 }))).texts).toEqual(['Hello.']);
    const long = await collect(model.chat({ ...ask, maxTokens: 20 }));
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([20, 2068, 2068]);
    expect(long.texts[0]).toHaveLength(120);
    expect(long.chunks.find((chunk) => chunk.type === 'end')).toMatchObject({ reason: 'length' });
  });

  test('[M11] if a server cannot stop at a text, Heddle does', async () => {
    fake.script(
      refusal({ error: { message: "Unsupported parameter: 'stop'", param: 'stop' } }),
      events(delta('One.\n'), delta('\nTwo.'), delta('', { finish_reason: 'stop' })),
    );
    const { texts, chunks } = await collect(open().model.chat({ ...ask, stop: ['\n\n'] }));
    expect(texts).toEqual(['One.']);
    expect(chunks.filter((chunk) => chunk.type === 'end')).toEqual([{ type: 'end', choice: 0, reason: 'stop' }]);
  });
});
