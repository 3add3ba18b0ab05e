import { useEffect, useState } from 'react';
import type { WireUsage } from '../../../../src/client/index.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { formatMoney } from '../../../../src/core/text/money.ts';
import { client } from '../../../data/session.ts';
import { useStore } from '../../../data/store.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { modelWaitText } from '../../model-wait.tsx';
import type { LoomActions } from '../actions.ts';
import { importResult } from '../files.ts';
import { bindingsOf, formatBinding } from '../keymap.ts';
import { activeModel, type OpenLoom } from '../loom.ts';
import { ExplorationLine } from '../panel/explore-tab.tsx';
import { findFillIn, insertFillIn } from '../session/fill-in.ts';
import { streamNodeId } from '../session/outbox.ts';
import { WheelList } from './wheel-list.tsx';

/** The dock below the text: streaming texts, the controls to generate more, and errors. */
export function Dock({ loom, actions: loomActions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const { actions } = loomActions;
  const { openGenerations, settings } = useStore(loom.replica.loom);
  const options = useStore(loom.generationOptions);
  const bindings = bindingsOf(useStore(loom.keySettings));
  const notice = useStore(loom.session.notice);
  const isSaved = useStore(loom.session.isSaved);
  const importNotice = useStore(importResult);
  const explorations = useStore(loom.explorations.all).filter(({ state }) => state === 'running' || state === 'paused');
  useStore(loom.models);
  const ownGenerations = openGenerations.filter(
    ({ stopping, request }) => !stopping && request.requester === loom.me && request.exploration === undefined,
  );
  const { name: modelName, model } = activeModel(loom);
  const isSmall = model?.capabilities?.label === 'small';
  const [n, tokens] = [options.n ?? settings.n ?? 3, options.max_tokens ?? settings.max_tokens ?? 50];
  return (
    <footer className="dock">
      <WheelList loom={loom} actions={loomActions} />
      <StreamList loom={loom} />
      <Strays loom={loom} />
      <FillInNotice loom={loom} />
      {explorations.map((each) => (
        <ExplorationLine key={each.exploration} loom={loom} summary={each} />
      ))}
      {importNotice?.loom === loom.id && (
        <p role="status" dir="auto" className="brought">
          {escapeBidi(importNotice.words)}{' '}
          <ActionButton onClick={() => importResult.set(undefined)}>Close</ActionButton>
        </p>
      )}
      {notice && (
        <p className="refused" role="alert" dir="auto">
          {escapeBidi(notice)} <ActionButton onClick={() => loom.session.notice.set(undefined)}>Close</ActionButton>
        </p>
      )}
      <div className="dock-line">
        <button
          type="button"
          className="dock-main"
          title={formatBinding(ownGenerations.length > 0 ? bindings.stop : bindings.generate)}
          onClick={ownGenerations.length > 0 ? actions.stop : actions.generate}
          // A click keeps the caret in the text, so that the next key goes there.
          onMouseDown={(event) => event.preventDefault()}
        >
          {ownGenerations.length > 0 ? 'Stop' : 'Continue'}
        </button>
        <span className="soft">
          {ownGenerations.length > 0
            ? `${modelName} is writing`
            : `${n} ${n === 1 ? 'way' : 'ways'}, ${tokens} tokens each, by ${modelName}${isSmall && modelName !== 'small' ? ' (small)' : ''}`}
          {isSmall && ownGenerations.length === 0 && ': a small model, fluent but not wise'}
        </span>
        {!isSaved && <span className="soft">not saved yet</span>}
        <UsageSummary loom={loom} />
      </div>
    </footer>
  );
}

/** Lists every continuation as it streams; marks the one in the text. */
function StreamList({ loom }: { readonly loom: OpenLoom }) {
  const streamTexts = useStore(loom.replica.streams.texts);
  useStore(loom.session.revision);
  const state = useStore(loom.replica.loom);
  if (streamTexts.size === 0) return null;
  const shownIds = new Set(
    loom.session
      .weave()
      .nodes.slice(-1)
      .map(({ id }) => id),
  );
  return (
    <div className="strands-all">
      {[...streamTexts].map(([generation, texts]) => {
        const { request, waiting } = state.openGenerations.find((each) => each.request.generation === generation) ?? {};
        if (!request || request.exploration !== undefined) return null;
        return (
          <ul key={generation} className="strands" aria-label={`Being written for ${request.requester}`}>
            {texts.map((text, choice) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its number
              <li key={choice}>
                <button
                  type="button"
                  aria-pressed={shownIds.has(streamNodeId(generation, choice))}
                  onClick={() => request.requester === loom.me && loom.session.showChoice(choice)}
                  dir="auto"
                >
                  <span className="strand-number">{choice + 1}</span>
                  {escapeBidi(text.slice(-160)) || <span className="soft">{waitingText(waiting)}</span>}
                </button>
              </li>
            ))}
          </ul>
        );
      })}
    </div>
  );
}

/** The reason why no text has arrived yet. */
function waitingText(waiting: { readonly until: string; readonly why: string } | undefined): string {
  return waiting && isWaiting(waiting, Date.now()) ? modelWaitText(waiting) : 'waiting';
}

/** A fill-in is a sibling of the text it leads up to; this notice offers to insert it before that text. */
function FillInNotice({ loom }: { readonly loom: OpenLoom }) {
  useStore(loom.session.revision);
  const fillIn = findFillIn(loom);
  if (!fillIn) return null;
  return (
    <p role="status" className="filled">
      <span className="soft">This leads up to what followed, which is not shown now.</span>{' '}
      <ActionButton onClick={() => void insertFillIn(loom, fillIn)}>Put it into the text</ActionButton>
    </p>
  );
}

/** Lists kept edits of nodes that are no longer on this path. */
function Strays({ loom }: { readonly loom: OpenLoom }) {
  const strays = useStore(loom.session.strays);
  if (strays.length === 0) return null;
  return (
    <div role="status" className="strays">
      <p>
        Text you had not committed belongs to a node that is not on this path now. It is kept here until you close it:
      </p>
      {strays.map(({ node, current }) => (
        <blockquote key={`${node} ${current}`} dir="auto">
          {escapeBidi(current)}
        </blockquote>
      ))}
      <ActionButton onClick={() => void loom.session.goTo(strays[0]!.node)}>Go to its node</ActionButton>{' '}
      <ActionButton onClick={() => loom.session.strays.set([])}>Close</ActionButton>
    </div>
  );
}

function UsageSummary({ loom }: { readonly loom: OpenLoom }) {
  const usage = useUsage(loom);
  if (!usage) return null;
  const tokens = usage.promptTokens + usage.generatedTokens;
  if (tokens === 0) return null;
  return (
    <span className="soft dock-spent" title={`${usage.promptTokens} tokens read, ${usage.generatedTokens} written`}>
      {formatNumber(tokens)} tokens{usage.cost > 0 && `, ${formatMoney(usage.cost)}`}
    </span>
  );
}

function useUsage(loom: OpenLoom): WireUsage['threads'][number] | undefined {
  const [usage, setUsage] = useState<WireUsage['threads'][number]>();
  useEffect(() => {
    const refresh = () =>
      client.models.usage().then(
        ({ threads }) => setUsage(threads.find(({ thread }) => thread === loom.id)),
        () => {},
      );
    void refresh();
    return loom.replica.onEvents((events) => {
      if (events.some(({ type }) => type === 'generation.finished' || type === 'generation.failed')) void refresh();
    });
  }, [loom]);
  return usage;
}
