import type { MindInput } from '../../core/dialogue/runs/mind-input.ts';
import { list, quoted, scalar } from './write-yaml.ts';

type Thought = MindInput['thoughts'][number];

/** What a mind is shown, as YAML with comments (D20). Whatever a text contains, it is read back as it was. */
export function writeInput(input: MindInput): string {
  const { meta, history, awaiting, steer, drafts } = input;
  return [
    'meta:',
    `  self: ${meta.self}`,
    `  iter: ${meta.iter}`,
    `  user_time: ${meta.user_time}`,
    `  user: ${quoted(meta.user)}`,
    `  engagement: ${meta.engagement}`,
    `  attention: {level: ${meta.attention.level}, reason: ${quoted(meta.attention.reason)}}`,
    `  limits: {draft_chars: ${meta.limits.draft_chars}, draft_count: ${meta.limits.draft_count}}`,
    '',
    ...pool(
      'thinking_pool',
      'A random sample of your thoughts, in no order. What is worth keeping?',
      input.thoughts,
      true,
    ),
    ...pool('recent_thoughts', 'Your latest thoughts, oldest first.', input.recent),
    ...pool('recalled_thoughts', 'Older thoughts, like some of those above.', input.recalled),
    'dialogue:',
    ...list('  ', 'history', 'What was said before, oldest first.', history.length),
    ...history.flatMap(({ message, reply }) => [...said('user', message), ...said('self', reply)]),
    "  # The person's message, waiting for your answer.",
    '  awaiting:',
    `    age: ${awaiting.age}`,
    `    text: ${scalar(awaiting.text, '      ')}`,
    ...(steer.length > 0 ? ['  # What the person added since.', '  steer:'] : []),
    ...steer.map(({ age, text }) => `    - ${scalar(text, '      ', `age: ${age}`)}`),
    ...list('  ', 'drafts', 'Your drafts, oldest first; the newest comes last.', drafts.length),
    ...drafts.map(
      ({ index, age, user_seen, text }) =>
        `    - ${scalar(text, '      ', `#${index}, age: ${age}, user_seen: ${user_seen}`)}`,
    ),
    '',
  ].join('\n');
}

function pool(name: string, note: string, thoughts: readonly Thought[], always = false): readonly string[] {
  if (thoughts.length === 0 && !always) return [];
  return [...list('', name, note, thoughts.length), ...thoughts.map(thought), ''];
}

function thought({ age, cluster, text }: Thought): string {
  const where = cluster ? `{id: ${cluster.id}, size: ${cluster.size}}` : '{~}';
  return `  - ${scalar(text, '    ', `age: ${age}, cluster: ${where}`)}`;
}

function said(
  from: 'user' | 'self',
  { age, text }: { readonly age: number; readonly text: string },
): readonly string[] {
  return [`    - from: ${from}`, `      age: ${age}`, `      text: ${scalar(text, '        ')}`];
}
