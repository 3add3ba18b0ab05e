import { expect, test } from 'vitest';
import { describeEvent } from './describe.ts';
import type { Event, Json } from './events/event.ts';
import { manifest } from './events/manifest.ts';

const call = { round: 3, run: 1 };

/** For each type that is stored: what it may hold, and how it is told. */
const told: Readonly<Record<string, readonly (readonly [content: Json, text: string])[]>> = {
  message: [['Hello.', '| Hello.']],
  'message.versioned': [[{ of: 'e1', text: 'Hello!' }, 'edited a message| Hello!']],
  task: [[{ text: 'Weed.', role: 'gardener' }, 'task for a gardener| Weed.']],
  result: [[{ status: 'failed', text: 'Rain.' }, 'task failed| Rain.']],
  control: [
    [{ invite: { participant_id: 'alpha', profile: { posting: 'draft' } } }, 'invited alpha (posting draft)'],
    [{ policy: { mode: 'large', hops: 2 } }, 'set the policy (mode large, hops 2)'],
  ],
  presence: [[{ transition: 'thinking.end' }, 'stopped thinking']],
  'thread.created': [[{ title: 'A', kind: 'loom' }, 'created the loom “A”']],
  'thread.renamed': [[{ title: 'B' }, 'renamed the thread to “B”']],
  'thread.archived': [
    [{ on: true }, 'archived the thread'],
    [{ on: false }, 'unarchived the thread'],
  ],
  'thread.tagged': [
    [{ tags: ['garden', 'soil'] }, 'tagged the thread garden, soil'],
    [{ tags: [] }, 'removed all tags from the thread'],
  ],
  'thread.opened': [[{ thread: 'T', title: 'C', wakes: 8 }, 'created the thread “C” from here (T)']],
  'thread.forked': [[{ thread: 'T', seq: 4, title: 'C' }, 'forked the thread after #4 as “C” (T)']],
  'side.opened': [[{ thread: 'T', question: 'Q?', members: ['a', 'b'] }, 'opened a side channel with a, b: “Q?” (T)']],
  'side.closed': [[{ summary: 'S' }, 'closed this side channel: S']],
  'side.returned': [[{ thread: 'T', summary: 'S' }, 'closed the side channel T: S']],
  'notice.posted': [[{ text: 'N' }, 'notes: N']],
  'draft.proposed': [
    [{ index: 2, text: 'Beans.' }, 'draft 2, not posted| Beans.'],
    [{ index: 3, text: 'Peas.', held: 'paused' }, 'draft 3, not posted: paused| Peas.'],
  ],
  'draft.settled': [
    [{ index: 2, outcome: 'accepted' }, 'posted draft 2'],
    [{ index: 3, outcome: 'discarded' }, 'dismissed draft 3'],
  ],
  'wake.waiting': [
    [
      { participant: 'alpha', event: 'e1', why: 'It is away.', until: '2030-01-01T02:03:04.000Z' },
      'reports: alpha waits for its model until 02:03:04 UTC: It is away.',
    ],
  ],
  'wake.closed': [
    [{ participant: 'alpha', outcome: 'answered' }, 'answered'],
    [{ participant: 'alpha', outcome: 'answered', usage: { small: true } }, 'answered, a small model'],
    [{ participant: 'alpha', outcome: 'declined', reason: 'Not for me.' }, 'had nothing to add: Not for me.'],
    [{ participant: 'alpha', outcome: 'failed', reason: 'No key.' }, 'could not answer: No key.'],
    [{ participant: 'beta', outcome: 'stopped', reason: 'stopped by alpha' }, 'stopped the answer of beta'],
  ],
  'dialogue.configured': [
    [{ set: { self: 'Iris', budget: { tokens: 9 } } }, 'changed the settings (self Iris, budget (tokens 9))'],
  ],
  'turn.opened': [[{ turn: 1, text: 'Noisy?' }, 'turn 1| Noisy?']],
  'turn.steered': [[{ turn: 1, text: 'Shorter.' }, 'steers| Shorter.']],
  'turn.withdrawn': [[{ turn: 1 }, 'withdrew the message of turn 1']],
  'turn.accepted': [
    [{ turn: 1, draft: 2 }, 'draft #2 became the answer of turn 1'],
    [{ turn: 1, draft: 2, edited: {} }, 'draft #2 became the answer of turn 1, with changes'],
    [
      { turn: 1, draft: 2, auto: { after: 3, set_by: 'ana' } },
      'draft #2 became the answer of turn 1, automatically after 3 quiet iterations, as set by ana',
    ],
  ],
  'drafts.seen': [[{ turn: 1, drafts: [1, 2] }, 'has seen #1, #2']],
  'engagement.set': [[{ engagement: 'reviewing' }, 'is reviewing']],
  'history.pruned': [
    [{ turn: 2 }, 'hid the turns up to 2 from the mind'],
    [{ turn: 0 }, 'shows the mind the whole history again'],
  ],
  'run.started': [[{ run: 1, iterations: 5 }, 'let the mind think: run 1, 5 iterations']],
  'run.waiting': [
    [
      { run: 1, why: 'Nothing answers.', until: '2026-01-02T03:04:05.678Z' },
      'run 1 waits for its model until 03:04:05 UTC: Nothing answers.',
    ],
  ],
  'run.paused': [[{ run: 1, why: 'The budget is used up.' }, 'run 1 is paused: The budget is used up.']],
  'run.resumed': [[{ run: 1 }, 'resumed run 1']],
  'run.ended': [[{ run: 1, reason: 'silence' }, 'run 1 is over: the mind had nothing more to say']],
  'iteration.ended': [
    [{ iter: 4, outcome: 'draft', draft: { index: 2, text: 'Yes.' } }, 'draft #2, iteration 4| Yes.'],
    [
      { iter: 5, outcome: 'signal', draft: { index: 3, text: '+1' }, thoughts: ['good'] },
      'says +1 (#3, iteration 5); thinks: good',
    ],
    [{ iter: 6, outcome: 'silence', thoughts: [] }, 'was silent (iteration 6)'],
    [
      { iter: 6, outcome: 'silence', thoughts: [], empty: true },
      'gave an empty answer, counted as silence (iteration 6)',
    ],
    [{ iter: 7, outcome: 'error', thoughts: [], problem: 'No key.' }, 'failed (iteration 7): No key.'],
  ],
  'iteration.late': [[{ iter: 8 }, 'finished iteration 8 too late; it was kept but changes nothing']],
  'thought.clustered': [
    [{ thought: 7, cluster: 2 }, 'thought 7 is in cluster 2'],
    [{ thought: 8, cluster: null }, 'thought 8 belongs to no cluster yet'],
  ],
  'terms.set': [
    [
      { version: 2, effective: 4, set: { audit_every: 3, mind_prompt: 'x'.repeat(99) }, reason: 'Shorter.' },
      'set the terms, version 2 from round 4: Shorter. (audit_every 3, mind_prompt changed)',
    ],
  ],
  'rounds.started': [[{ run: 1, rounds: 2 }, 'let the minds think: run 1, 2 rounds']],
  'rounds.waiting': [
    [
      { run: 1, why: 'Nothing answers.', until: '2026-01-02T03:04:05.678Z' },
      'run 1 waits for its model until 03:04:05 UTC: Nothing answers.',
    ],
    [
      { run: 1, audit: 3, why: 'Nothing answers.', until: '2026-01-02T03:04:05.678Z' },
      'audit 3 waits for its model until 03:04:05 UTC: Nothing answers.',
    ],
  ],
  'rounds.paused': [[{ run: 1, why: 'A restart is asked for.' }, 'run 1 is paused: A restart is asked for.']],
  'rounds.resumed': [[{ run: 1 }, 'resumed run 1']],
  'rounds.ended': [[{ run: 1, reason: 'halted' }, 'run 1 is over: the exchange was halted']],
  'mind.spoke': [
    [{ ...call, outcome: 'thoughts', thoughts: ['a', 'b'] }, 'round 3| a\n\nb'],
    [{ ...call, outcome: 'silence', thoughts: [] }, 'was silent in round 3'],
    [{ ...call, outcome: 'malformed', thoughts: [], problem: 'No list.' }, 'was not understood in round 3: No list.'],
  ],
  'call.late': [[call, 'finished too late in round 3; it was kept but changes nothing']],
  'round.ended': [[{ ...call, before: 1, after: 3, audit_due: true }, 'round 3 is over: 2 thoughts, an audit is due']],
  'injection.made': [[{ text: 'Look.' }, '| >>> Look.']],
  'observer.spoke': [[{ text: 'I see.', audit: 1 }, 'on audit 1| [OBSERVER] I see.']],
  'audit.written': [[{ ...call, audit: 1, text: 'All of #1.' }, 'audit 1, after round 3| [AUDIT] All of #1.']],
  'audit.failed': [[{ audit: 1, attempt: 3, gave_up: true, problem: 'P.' }, 'audit 1 failed (try 3, the last): P.']],
  'audit.skipped': [[{ audit: 2, round: 3, reason: 'No key.' }, 'skipped audit 2: No key.']],
  'auditor.role': [[{ text: 'R' }, '[AUDITOR ROLE] R']],
  'observer.role': [[{ text: 'R' }, '[OBSERVER ROLE] R']],
  'audit.asked': [[{ audit: 2 }, 'asked for audit 2']],
  'restart.detected': [
    [{ evidence: [{ by: 'mind', mind: 'm', iter: 1, reason: 'Stuck.' }] }, '| [RESTART] m asks for it: Stuck.'],
  ],
  'restart.answered': [
    [
      { decision: 'rollback', reason: 'Why not.', round: 2 },
      'On the request for a restart: It goes back to round 2. Why not.',
    ],
    [
      { decision: 'branch', reason: 'The terms say so.', auto: { set_by: 'ana' } },
      'The policy "branch", which ana had set, answered the request for a restart: it goes on in a branch.',
    ],
  ],
  'branch.begun': [
    [{ kind: 'control', from: { thread: 'T', round: 2 } }, 'began this control branch after round 2 of T'],
  ],
  'branch.rolled_back': [[{ thread: 'T', round: 0 }, 'rolled back to round 0, in T']],
  'exchange.halted': [[{ reason: 'Enough.' }, 'halted the exchange: Enough.']],
  'thought.vetoed': [[{ thought: 1, reason: 'Spam.' }, 'hid thought 1: Spam.']],
  'thought.unvetoed': [[{ thought: 1 }, 'showed thought 1 again']],
  'loom.configured': [[{ n: 3, system: null }, 'changed how the loom writes (n 3, system none)']],
  'loom.committed': [
    [{ edits: [], append: { node: 'b', content: ' on' } }, 'wrote|  on'],
    [{ edits: [{ node: 'c', from: 'a', content: 'Twice' }] }, 'edited| a is now “Twice”'],
  ],
  'loom.switched': [[{ to: 'b' }, 'switched to b']],
  'loom.marked': [[{ node: 'b', tags: ['x', 'y'], bookmark: null }, 'marked b (tags x, y, bookmark none)']],
  'loom.preferred': [[{ node: 'a', child: 'b' }, 'prefers b after a']],
  'loom.divided': [[{ node: 'a', at: 2 }, 'split a after 2 characters']],
  'loom.merged': [[{ parent: 'a', node: 'b' }, 'joined a and b']],
  'loom.reverted': [[{ act: 'x', what: 'an edit' }, 'undid: an edit']],
  'loom.repeated': [[{ act: 'x', what: 'an edit' }, 'redid: an edit']],
  'loom.imported': [[{ nodes: [{}, {}] }, 'imported 2 nodes']],
  'generation.requested': [[{ n: 3, at: 'a', model: 'small' }, 'asked for 3 continuations of a by small']],
  'generation.finished': [
    [{ model: 'm', label: 'small', choices: [{ node: 'd', content: ' so' }] }, 'm, a small model| d:  so'],
  ],
  'generation.failed': [[{ message: 'No key.' }, 'no continuation arrived: No key.']],
  'generation.waiting': [
    [
      { generation: 'g', why: 'It is away.', until: '2030-01-01T02:03:04.000Z' },
      'waits for its model until 02:03:04 UTC: It is away.',
    ],
  ],
  'generation.stopped': [[{ generation: 'g' }, 'stopped a continuation']],
  'exploration.started': [
    [{ at: 'a', breadth: 2, depth: 3, nodes: 9 }, 'started to explore after a: 2 wide, 3 deep, at most 9 nodes'],
  ],
  'exploration.turned': [[{ to: 'paused', reason: 'Asked.' }, 'the exploration is paused: Asked.']],
};

test.each(Object.entries(told))('[C10] %s is told in words', (type, samples) => {
  for (const [content, text] of samples) {
    const described = describeEvent({ type, content, from: 'alpha' } as Event);
    expect(described.kind === 'said' ? `${described.label}| ${described.text}` : described.text).toBe(text);
  }
});

test('[C10] every type that is stored is told in words; one of a newer version is shown as it is', () => {
  const stored = [...manifest.values()].filter(({ durable }) => durable).map(({ type }) => type);
  expect(Object.keys(told).toSorted()).toEqual(stored.toSorted());
  const unknown = describeEvent({ type: 'moon.rose', content: { full: true }, from: 'alpha' } as unknown as Event);
  expect(unknown).toEqual({ kind: 'note', text: 'moon.rose {"full":true}' });
});
