import { Fragment, useCallback, useEffect, useState } from 'react';
import type { ModelTested, WireModel, WireUsage } from '../src/client/index.ts';
import { money } from './needs.ts';
import { Refused, useWish } from './refused.tsx';
import { client } from './session.ts';
import { Anchor } from './settings-anchor.tsx';
import { Budget } from './settings-budget.tsx';
import { visible } from './text/visible.ts';
import { usage as known } from './workspace.ts';

/** The models of the workspace, whether they work, and what they have used. */
export function Models() {
  const [models, setModels] = useState<readonly WireModel[]>([]);
  const [problem, setProblem] = useState<string>();
  const [usage, setUsage] = useState<WireUsage>();
  const { wish, refusal } = useWish();
  const load = useCallback(async () => {
    const loaded = await wish(() => Promise.all([client.models.list(), client.models.usage()]));
    if (!loaded) return;
    setModels(loaded[0].models);
    setProblem(loaded[0].problem);
    setUsage(loaded[1]);
    known.set(loaded[1]);
  }, [wish]);
  useEffect(() => void load(), [load]);

  return (
    <Anchor id="models" label="Models">
      <h2>Models</h2>
      <ul className="models">
        {models.map((model) => (
          <Entry key={model.name} model={model} onTested={load} />
        ))}
      </ul>
      <p className="soft">
        They stand in <code>heddle.yaml</code>; <code>heddle models add</code> writes one more.
      </p>
      <Refused because={problem ?? refusal} />
      {usage && <Usage usage={usage} />}
      {usage && <Budget usage={usage} onSaved={load} />}
    </Anchor>
  );
}

function Entry({ model, onTested }: { readonly model: WireModel; onTested(): Promise<void> }) {
  const { wish, busy, refusal } = useWish();
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [tested, setTested] = useState<ModelTested>();

  async function test(): Promise<void> {
    setTexts([]);
    setTested(undefined);
    const onText = (choice: number, text: string) =>
      setTexts((before) => Object.assign([...before], { [choice]: (before[choice] ?? '') + text }));
    const done = await wish(() => client.models.test(model.name, {}, { onText }));
    if (done) setTested(done);
    await onTested();
  }

  const { state, price } = model;
  return (
    <li>
      <p className="model-line">
        <span className="row-title">{model.name}</span>
        <button type="button" className="act" disabled={busy} onClick={() => void test()}>
          {busy ? 'Writing …' : 'Test'}
        </button>
      </p>
      <p className="soft">{described(model)}</p>
      {price && (
        <p className="soft">
          {price.input} read, {price.output} written, per million tokens
        </p>
      )}
      {state.code !== 'ready' && <p className="warned">{visible(state.sentence)}</p>}
      <Refused because={refusal} />
      {tested ? <Tested tested={tested} /> : <Coming texts={busy ? texts : []} />}
    </li>
  );
}

function described({ provider, model, capabilities, state, default_for }: WireModel): string {
  return [
    provider,
    ...(model ? [model] : []),
    ...(capabilities ? [`${capabilities.context.toLocaleString()} tokens`] : []),
    ...(capabilities?.label ? ['small'] : []),
    ...(default_for.length > 0 ? [`for ${default_for.join(', ')}`] : []),
    state.code === 'ready' ? 'ready' : state.code.replace('_', ' '),
  ].join(' · ');
}

function Coming({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ol className="trials" aria-busy="true">
      {texts.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a choice is known by its number
        <li key={i} dir="auto">
          {visible(text ?? '')}
        </li>
      ))}
    </ol>
  );
}

/** What it wrote; under each token stands how likely it was. */
function Tested({ tested }: { readonly tested: ModelTested }) {
  const { choices, prompt, kind, usage, cost, latency } = tested;
  return (
    <div role="status">
      <p className="soft">
        {kind === 'answer' ? 'To' : 'After'} “{visible(prompt)}”
        {choices.some(({ tokens }) => tokens.length > 0) ? ', each token with its probability in per cent:' : ':'}
      </p>
      <ol className="trials">
        {choices.map(({ text, tokens }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a choice is known by its number
          <li key={i} dir="auto">
            {tokens.length > 0 ? <Tokens tokens={tokens} /> : visible(text)}
          </li>
        ))}
      </ol>
      <p className="soft">
        {usage.estimated ? 'about ' : ''}
        {usage.promptTokens} tokens read, {usage.generatedTokens} written in {(latency.totalMs / 1000).toFixed(1)} s
        {cost > 0 && `, cost ${money(cost)}`}
      </p>
    </div>
  );
}

function Tokens({ tokens }: { readonly tokens: ModelTested['choices'][number]['tokens'] }) {
  return tokens.map(({ text, probability, alternatives }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a token is known by its place
    <Fragment key={i}>
      {/^\s/.test(text) && ' '}
      <span
        className="token"
        title={alternatives.map((each) => `${each.text.trim() || 'space'} ${percent(each.probability)} %`).join(', ')}
      >
        <span>{visible(text.trim()) || (text.includes('\n') ? '↵' : '␣')}</span>
        <small>{percent(probability)}</small>
      </span>
    </Fragment>
  ));
}

function Usage({ usage }: { readonly usage: WireUsage }) {
  const { total, models, threads } = usage;
  if (total.calls === 0) return <p className="soft">No model has been asked yet.</p>;
  const rows = [
    ...models.map((row) => ({ ...row, key: `model ${row.model}`, name: row.model })),
    ...threads.map((row) => ({ ...row, key: row.thread, name: row.title ?? row.thread })),
    { ...total, key: 'all', name: 'In all' },
  ];
  return (
    <table className="usage">
      <caption className="unseen">What models have used</caption>
      <thead>
        <tr>
          {['Used by', 'Calls', 'Tokens', 'Cost'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, calls, failures, promptTokens, generatedTokens, cost }) => (
          <tr key={key}>
            <th scope="row">{visible(name)}</th>
            <td>
              {calls.toLocaleString()}
              {failures > 0 && <span className="soft"> ({failures.toLocaleString()} failed)</span>}
            </td>
            <td>{(promptTokens + generatedTokens).toLocaleString()}</td>
            <td>{money(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function percent(probability: number): string {
  return probability < 0.01 ? '<1' : String(Math.round(probability * 100));
}
