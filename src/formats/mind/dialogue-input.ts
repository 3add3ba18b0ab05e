import type { DialogueMindInput } from '../../core/dialogue/runs/mind-input.ts';
import { listHeader, quote, yamlText } from './write-yaml.ts';

type InputThought = DialogueMindInput['thoughts'][number];

/** Writes a mind's input as YAML with comments (D20). Every text survives the round trip unchanged. */
export function writeDialogueInput(input: DialogueMindInput): string {
  const { meta, history, awaiting, steer, drafts } = input;
  return [
    'meta:',
    `  self: ${meta.self}`,
    `  iter: ${meta.iter}`,
    `  user_time: ${meta.user_time}`,
    `  user: ${quote(meta.user)}`,
    `  engagement: ${meta.engagement}`,
    `  attention: {level: ${meta.attention.level}, reason: ${quote(meta.attention.reason)}}`,
    `  limits: {draft_chars: ${meta.limits.draft_chars}, draft_count: ${meta.limits.draft_count}}`,
    '',
    ...poolLines(
      'thinking_pool',
      'A random sample of your thoughts, in no order. What is worth keeping?',
      input.thoughts,
      true,
    ),
    ...poolLines('recent_thoughts', 'Your latest thoughts, oldest first.', input.recent),
    ...poolLines('recalled_thoughts', 'Older thoughts, like some of those above.', input.recalled),
    'dialogue:',
    ...listHeader('  ', 'history', 'What was said before, oldest first.', history.length),
    ...history.flatMap(({ message, reply }) => [...messageLines('user', message), ...messageLines('self', reply)]),
    "  # The person's message, waiting for your answer.",
    '  awaiting:',
    `    age: ${awaiting.age}`,
    `    text: ${yamlText(awaiting.text, '      ')}`,
    ...(steer.length > 0 ? ['  # What the person added since.', '  steer:'] : []),
    ...steer.map(({ age, text }) => `    - ${yamlText(text, '      ', `age: ${age}`)}`),
    ...listHeader('  ', 'drafts', 'Your drafts, oldest first; the newest comes last.', drafts.length),
    ...drafts.map(
      ({ index, age, user_seen, text }) =>
        `    - ${yamlText(text, '      ', `#${index}, age: ${age}, user_seen: ${user_seen}`)}`,
    ),
    '',
  ].join('\n');
}

function poolLines(
  name: string,
  note: string,
  thoughts: readonly InputThought[],
  isAlwaysShown = false,
): readonly string[] {
  if (thoughts.length === 0 && !isAlwaysShown) return [];
  return [...listHeader('', name, note, thoughts.length), ...thoughts.map(thoughtLine), ''];
}

function thoughtLine({ age, cluster, text }: InputThought): string {
  const clusterText = cluster ? `{id: ${cluster.id}, size: ${cluster.size}}` : '{~}';
  return `  - ${yamlText(text, '    ', `age: ${age}, cluster: ${clusterText}`)}`;
}

function messageLines(
  from: 'user' | 'self',
  { age, text }: { readonly age: number; readonly text: string },
): readonly string[] {
  return [`    - from: ${from}`, `      age: ${age}`, `      text: ${yamlText(text, '        ')}`];
}
