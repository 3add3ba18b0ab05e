import type { DraftItem } from '../../../../src/client/index.ts';
import { currentTarget, explainTarget } from '../../../explain/target.ts';
import { useActions } from '../../../shell/actions.ts';
import { sentencesOf } from '../drafts/sentences.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import type { SelectedPassage } from '../selected-passage.ts';
import type { TurnData } from './turn-data.ts';
import type { TurnView } from './turn-view.ts';

interface TurnActionOptions {
  readonly dialogue: LiveDialogue;
  readonly view: TurnView;
  readonly data: TurnData;
  readonly path: string;
  readonly turn: number;
  readonly selection: SelectedPassage | undefined;
  accept(draft: DraftItem): Promise<unknown>;
  explain(draft: DraftItem, sentence?: string): void;
}

/** The keys and the palette's lines for moving among drafts and sentences. */
export function useTurnActions(options: TurnActionOptions): void {
  const { dialogue, view, data, path, turn, selection, accept, explain } = options;
  const { reply, current } = view;
  const hasOlder = data.buffer.drafts.length < data.buffer.total;

  function moveDraft(by: number): void {
    if (!view.move(by) && by < 0) void dialogue.showOlder();
  }

  function moveSentence(by: number): void {
    const draft = reply ?? current;
    if (!draft) return;
    const sentences = sentencesOf(draft.text).map((sentence) => sentence.trim());
    const isHere = selection?.turn === turn && selection.draft === draft.index;
    const at = isHere ? sentences.indexOf(selection.sentence ?? '') : -1;
    const next = sentences[at < 0 ? 0 : at + by];
    if (next) explain(draft, next);
  }

  /** A draft is explained in the panel; a selected passage, or any other target, in a dialog of its own. */
  function explainCurrent(): void {
    const underCursor = currentTarget();
    const isDraft = underCursor?.link.startsWith(`${path}.`);
    const draft = reply ?? current;
    if (underCursor && (underCursor.passage || !isDraft)) explainTarget.set(underCursor);
    else if (draft) explain(draft);
  }

  const when = current !== undefined;
  useActions('This dialogue', [
    { name: 'Where it came from', keys: ['w'], act: explainCurrent, when },
    { name: 'Next sentence, and where it came from', keys: ['ArrowRight'], act: () => moveSentence(1), when },
    { name: 'Previous sentence', keys: ['ArrowLeft'], act: () => moveSentence(-1), when },
    { name: 'Next draft', keys: ['j'], act: () => moveDraft(1), when },
    { name: 'Previous draft', keys: ['k'], act: () => moveDraft(-1), when },
    { name: 'Show older drafts', act: () => void dialogue.showOlder(), when: hasOlder },
    ...data.replies.map((draft) => ({
      name: `Accept draft ${draft.index}`,
      many: true as const,
      act: () => void accept(draft),
    })),
  ]);
}
