import { useEffect, useState } from 'react';
import type { WireUsage } from '../../../../src/client/index.ts';
import { formatMoney } from '../../../../src/core/text/money.ts';
import { client } from '../../../data/session.ts';
import { useStore } from '../../../data/store.ts';
import { numeral } from '../../../ui/numeral.ts';
import { visible } from '../../../ui/text/visible.ts';
import { isWaiting, waitingWords } from '../../model-wait.tsx';
import type { LoomActions } from '../actions.ts';
import { broughtIn } from '../files.ts';
import { bindingsOf, readable } from '../keymap.ts';
import { type Loom, usedModel } from '../loom.ts';
import { ExploreLine } from '../panel/explore-tab.tsx';
import { filledAt, joinFilled } from '../session/fill-in.ts';
import { growingName } from '../session/outbox.ts';
import { WheelList } from './wheel-list.tsx';

/** Below the text: what is being written, the way to have more written, and what went wrong. */
export function Dock({ loom, actions: all }: { readonly loom: Loom; readonly actions: LoomActions }) {
  const { actions } = all;
  const { open, settings } = useStore(loom.replica.loom);
  const wish = useStore(loom.wish);
  const keys = bindingsOf(useStore(loom.keys));
  const notice = useStore(loom.desk.notice);
  const brought = useStore(broughtIn);
  const explored = useStore(loom.explored.all).filter(({ state }) => state === 'running' || state === 'paused');
  useStore(loom.models);
  const mine = open.filter(
    ({ stopping, request }) => !stopping && request.requester === loom.me && request.exploration === undefined,
  );
  const { name: model, model: known } = usedModel(loom);
  const isSmall = known?.capabilities?.label === 'small';
  const [n, tokens] = [wish.n ?? settings.n ?? 3, wish.max_tokens ?? settings.max_tokens ?? 50];
  return (
    <footer className="dock">
      <WheelList loom={loom} actions={all} />
      <Strands loom={loom} />
      <Strays loom={loom} />
      <Filled loom={loom} />
      {explored.map((each) => (
        <ExploreLine key={each.exploration} loom={loom} explored={each} />
      ))}
      {brought?.loom === loom.id && (
        <p role="status" dir="auto" className="brought">
          {visible(brought.words)}{' '}
          <button type="button" className="act" onClick={() => broughtIn.set(undefined)}>
            Close
          </button>
        </p>
      )}
      {notice && (
        <p className="refused" role="alert" dir="auto">
          {visible(notice)}{' '}
          <button type="button" className="act" onClick={() => loom.desk.notice.set(undefined)}>
            Close
          </button>
        </p>
      )}
      <div className="dock-line">
        <button
          type="button"
          className="dock-main"
          title={readable(mine.length > 0 ? keys.stop : keys.generate)}
          onClick={mine.length > 0 ? actions.stop : actions.generate}
          // A press leaves the caret in the text: the next key is meant for what is written there.
          onMouseDown={(event) => event.preventDefault()}
        >
          {mine.length > 0 ? 'Stop' : 'Continue'}
        </button>
        <span className="soft">
          {mine.length > 0
            ? `${model} is writing`
            : `${n} ${n === 1 ? 'way' : 'ways'}, ${tokens} tokens each, by ${model}${isSmall && model !== 'small' ? ' (small)' : ''}`}
          {isSmall && mine.length === 0 && ': a small model, fluent but not wise'}
        </span>
        <Spent loom={loom} />
      </div>
    </footer>
  );
}

/** Every continuation as it grows; the one in the text is marked. */
function Strands({ loom }: { readonly loom: Loom }) {
  const growing = useStore(loom.replica.streams.growing);
  useStore(loom.desk.look);
  const state = useStore(loom.replica.loom);
  if (growing.size === 0) return null;
  const shown = new Set(
    loom.desk
      .weave()
      .nodes.slice(-1)
      .map(({ id }) => id),
  );
  return (
    <div className="strands-all">
      {[...growing].map(([generation, texts]) => {
        const { request, waiting } = state.open.find((each) => each.request.generation === generation) ?? {};
        if (!request || request.exploration !== undefined) return null;
        return (
          <ul key={generation} className="strands" aria-label={`Being written for ${request.requester}`}>
            {texts.map((text, choice) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its number
              <li key={choice}>
                <button
                  type="button"
                  aria-pressed={shown.has(growingName(generation, choice))}
                  onClick={() => request.requester === loom.me && loom.desk.showGrowing(choice)}
                  dir="auto"
                >
                  <span className="strand-number">{choice + 1}</span>
                  {visible(text.slice(-160)) || <span className="soft">{waitWords(waiting)}</span>}
                </button>
              </li>
            ))}
          </ul>
        );
      })}
    </div>
  );
}

/** Why nothing of it is there yet. */
function waitWords(waiting: { readonly until: string; readonly why: string } | undefined): string {
  return waiting && isWaiting(waiting) ? waitingWords(waiting) : 'waiting';
}

/** What fills in stands beside what followed; it can be put before it. */
function Filled({ loom }: { readonly loom: Loom }) {
  useStore(loom.desk.look);
  const filled = filledAt(loom);
  if (!filled) return null;
  return (
    <p role="status" className="filled">
      <span className="soft">This leads up to what followed, which is not shown now.</span>{' '}
      <button type="button" className="act" onClick={() => void joinFilled(loom, filled)}>
        Put it into the text
      </button>
    </p>
  );
}

/** Edits that were kept but whose node is not on this path any more. */
function Strays({ loom }: { readonly loom: Loom }) {
  const strays = useStore(loom.desk.strays);
  if (strays.length === 0) return null;
  return (
    <div role="status" className="strays">
      <p>
        An edit you had not committed belongs to a node that is not on this path now. It is kept here until you close
        it:
      </p>
      {strays.map(({ node, current }) => (
        <blockquote key={node} dir="auto">
          {visible(current)}
        </blockquote>
      ))}
      <button type="button" className="act" onClick={() => void loom.desk.goTo(strays[0]!.node)}>
        Go to its node
      </button>{' '}
      <button type="button" className="act" onClick={() => loom.desk.strays.set([])}>
        Close
      </button>
    </div>
  );
}

function Spent({ loom }: { readonly loom: Loom }) {
  const used = useUsage(loom);
  if (!used) return null;
  const tokens = used.promptTokens + used.generatedTokens;
  if (tokens === 0) return null;
  return (
    <span className="soft dock-spent" title={`${used.promptTokens} tokens read, ${used.generatedTokens} written`}>
      {numeral(tokens)} tokens{used.cost > 0 && `, ${formatMoney(used.cost)}`}
    </span>
  );
}

function useUsage(loom: Loom): WireUsage['threads'][number] | undefined {
  const [used, setUsed] = useState<WireUsage['threads'][number]>();
  useEffect(() => {
    const read = () =>
      client.models.usage().then(
        ({ threads }) => setUsed(threads.find(({ thread }) => thread === loom.id)),
        () => {},
      );
    void read();
    return loom.replica.onEvents((events) => {
      if (events.some(({ type }) => type === 'generation.finished' || type === 'generation.failed')) void read();
    });
  }, [loom]);
  return used;
}
