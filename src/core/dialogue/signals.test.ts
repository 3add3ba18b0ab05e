import { describe, expect, test } from 'vitest';
import { dialogueWith } from '../../../test/support/domain/dialogue.ts';
import { human, typesOf } from '../../../test/support/domain/given.ts';
import type { Event } from '../events/event.ts';
import { signalOf } from './turns/drafts.ts';
import { windowOf } from './turns/window.ts';
import { attentionOf } from './view/attention.ts';
import { draftsView, statusView } from './view/view.ts';

describe('vocabulary', () => {
  test('[D9] "+1" is a soft signal, and a short line in capitals is a word signal once there is a reply', () => {
    expect(signalOf('+1', true)).toBe('soft');
    expect(signalOf('+1\n', false)).toBe('soft');
    for (const word of ['LOOK', 'NOT YET', 'V2', 'A-B_C 1', 'ÉTÉ', 'A'.repeat(16)]) {
      expect(signalOf(word, true), word).toBe('word');
      expect(signalOf(word, false), word).toBe(null);
    }
    for (const text of ['Look', 'LOOK!', 'A'.repeat(17), 'TWO\nLINES', '+2', '', 'yes']) {
      expect(signalOf(text, true), text).toBe(null);
    }
  });

  test('[D9] without an earlier reply, "NASA" is a reply and not a signal', () => {
    const talk = dialogueWith();
    talk.message('who?');
    talk.drafts('NASA');
    expect(draftsView(talk.state()).drafts[0]?.signal).toBe(null);
    expect(typesOf(talk.when(human, 'accept', {}))).toEqual(['turn.accepted', 'run.ended']);
  });

  test('[D9] accepting without an index right after a word signal is refused, and both indices are offered', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a reply', 'STUCK');
    const refused = talk.when(human, 'accept', {}) as { code: string; message: string };
    expect(refused).toMatchObject({ code: 'ambiguous_accept', drafts: [1, 2] });
    expect(refused.message).toMatch(/#2.*STUCK.*#1/);
    expect(talk.when(human, 'accept', { draft: 2 })).toMatchObject([{ content: { draft: 2 } }, {}]);
  });

  test('[D9] a signal has an index and an outcome of its own, and no "same_as"', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a reply', '+1', '+1', 'LOOK');
    expect(talk.events.filter(({ type }) => type === 'iteration.ended').map(({ content }) => content)).toMatchObject([
      { outcome: 'draft', draft: { index: 1 } },
      { outcome: 'signal', draft: { index: 2, signal: 'soft' } },
      { outcome: 'signal', draft: { index: 3, signal: 'soft' } },
      { outcome: 'signal', draft: { index: 4, signal: 'word' } },
    ]);
    expect(draftsView(talk.state()).drafts.some((draft) => 'same_as' in draft)).toBe(false);
  });

  test('[D11] a malformed or failed answer never counts as silence', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a reply');
    const [event] = talk.says({ malformed: 'not YAML' }) as Event[];
    expect(event?.content).toMatchObject({ outcome: 'malformed', problem: 'not YAML' });
    talk.says({ error: 'the model hung up' });
    expect(attentionOf(talk.state())).toMatchObject({
      level: 'thinking',
      reason: expect.stringContaining('2 iterations failed'),
    });
  });
});

describe('window', () => {
  test('[D12] the window takes the newest 16 drafts and lists them oldest first', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts(...Array.from({ length: 20 }, (_, i) => `draft ${i + 1}`));
    const shown = windowOf(talk.state().open!, talk.state().config);
    expect(shown.map(({ draft }) => draft.index)).toEqual(Array.from({ length: 16 }, (_, i) => i + 5));
  });

  test('[D12] the window takes at most 2,000 characters', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('a'.repeat(900), 'b'.repeat(900), 'c'.repeat(900));
    expect(windowOf(talk.state().open!, talk.state().config).map(({ draft }) => draft.index)).toEqual([2, 3]);
  });

  test('[D12] at least one draft is shown, and a long one is cut to its first and last 1,000 characters', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('short', `${'a'.repeat(1500)}${'b'.repeat(1500)}`);
    const shown = windowOf(talk.state().open!, talk.state().config);
    expect(shown).toHaveLength(1);
    expect(shown[0]?.text).toBe(`${'a'.repeat(1000)}\n[… 1000 characters not shown …]\n${'b'.repeat(1000)}`);
    expect(draftsView(talk.state()).drafts[0]?.text).toHaveLength(3000);
  });

  test('[D12] a long draft is never cut inside a character', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts(`x${'😀'.repeat(2000)}y`);
    expect(windowOf(talk.state().open!, talk.state().config)[0]?.text.isWellFormed()).toBe(true);
  });

  test('[D30] any number of "+1" never pushes the latest reply out of the window; older drafts leave first', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('an older one', 'the reply', ...Array.from({ length: 100 }, () => '+1'));
    const { turn, warning } = statusView(talk.state());
    expect(turn?.window).toEqual([2, ...Array.from({ length: 15 }, (_, i) => 88 + i)]);
    expect(warning).toBeUndefined();
    talk.when(human, 'configure', { set: { draft_display_count: 1 } });
    expect(statusView(talk.state()).turn?.window).toEqual([2]);
  });

  test('[D30] a long reply is shortened but stays in the window, whatever came after it', () => {
    const talk = dialogueWith({ draft_display_chars: 100 });
    talk.message();
    talk.drafts('a'.repeat(3000), ...Array.from({ length: 9 }, () => 'WAIT FOR IT NOW'), '+1');
    const shown = windowOf(talk.state().open!, talk.state().config);
    expect(shown.map(({ draft }) => draft.index)).toEqual([1, 8, 9, 10, 11]);
    expect(shown[0]?.text).toMatch(/^a{26}\n\[… 2948 characters not shown …\]\na{26}$/);
  });

  test('[D13] I am told when the mind cleared the latest reply from its own window', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('the reply');
    expect(statusView(talk.state()).warning).toBeUndefined();
    talk.says({ thoughts: [], draft: '+1', clear: true });
    expect(statusView(talk.state()).warning).toContain('no longer sees #1');
    expect(typesOf(talk.when(human, 'accept', {}))).toEqual(['turn.accepted', 'run.ended']);
  });

  test('[D19] a mind can clear its window, but people and the log keep everything', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('old');
    talk.says({ thoughts: [], draft: 'new', clear: true });
    expect(statusView(talk.state()).turn?.window).toEqual([2]);
    expect(draftsView(talk.state()).drafts).toHaveLength(2);
  });
});

describe('attention', () => {
  test('[D14] a dialogue is thinking, then publishable, then needs you, then idle, each with a reason', () => {
    const talk = dialogueWith();
    const now = () => attentionOf(talk.state());
    expect(now()).toEqual({ level: 'idle', reason: 'No message is waiting for an answer.' });
    talk.message();
    talk.drafts(null);
    expect(now()).toEqual({ level: 'thinking', reason: 'No reply yet after 1 iteration, still thinking.' });
    talk.drafts('reply');
    expect(now()).toEqual({ level: 'thinking', reason: '#1 was just written, still thinking.' });
    talk.drafts('+1', '+1');
    expect(now().level).toBe('publishable');
    talk.drafts('better', '+1', '+1', '+1', null, null);
    expect(now()).toEqual({
      level: 'needs_you',
      reason: '#4 unchanged for 5 iterations, endorsed 3 times; the mind has nothing to add. Look at it now.',
    });
    talk.when(human, 'accept', {});
    expect(now().level).toBe('idle');
  });

  test('[D14] a message without a run shows that the mind has not started on it', () => {
    const talk = dialogueWith();
    talk.when(human, 'message', { text: 'Beans?' });
    expect(attentionOf(talk.state())).toEqual({
      level: 'thinking',
      reason: 'No reply yet after 0 iterations; the mind has not started.',
      next: ['start'],
    });
  });

  test('[D14] silence before the first reply does not ask for my attention', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts(null, null, null, null);
    expect(attentionOf(talk.state()).level).toBe('thinking');
    expect(talk.state().run?.state).toBe('running');
  });

  test('[D14] a paused run needs you', () => {
    const talk = dialogueWith();
    talk.message();
    talk.when(human, 'pause_run', {});
    expect(attentionOf(talk.state())).toEqual({
      level: 'needs_you',
      reason: 'The run is paused: ana paused the run. Resume or stop the run.',
    });
  });

  test('[D14] a view shows how long drafts are and how often they come', () => {
    const talk = dialogueWith();
    talk.message();
    talk.drafts('four', null, null, '+1');
    expect(draftsView(talk.state()).drafts).toMatchObject([
      { chars: 2, after: 3 },
      { chars: 4, after: 1 },
    ]);
  });
});
