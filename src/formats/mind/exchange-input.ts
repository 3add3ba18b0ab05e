import type { AuditInput, Authored, ClusterLine, Legible, MindInput } from '../../core/exchange/rounds/inputs.ts';
import { list, quoted, scalar } from './write-yaml.ts';

/** What a mind of an exchange is shown, as YAML with comments (X14). Whatever a text contains, it is read back as it was. */
export function writeMindInput({ meta, ...input }: MindInput): string {
  return [
    ...about(input.question),
    'meta:',
    `  self: ${meta.self}`,
    `  round: ${meta.round}`,
    `  iter: ${meta.iter}`,
    `  minds: [${meta.minds.join(', ')}]`,
    '',
    ...shared(input, 'mind_prompt'),
    ...thoughts("A random sample of the pool's thoughts, in no order. What is worth keeping?", input.thoughts),
    '',
  ].join('\n');
}

export function writeAuditInput({ meta, ...input }: AuditInput): string {
  return [
    ...about(input.question),
    'meta:',
    `  round: ${meta.round}`,
    `  audit: ${meta.audit}`,
    '',
    ...shared(input, 'auditor_spec'),
    ...thoughts('The active thoughts, oldest first, each with its number.', input.thoughts),
    '',
  ].join('\n');
}

/** What it is all about stands before anything else (X15). */
function about(question: string): readonly string[] {
  return question === '' ? [] : [`question: ${scalar(question, '  ')}`, ''];
}

type Shared = Omit<MindInput, 'meta'>;

/** The reader's own instructions stand above, as they are; here is only which they were. */
function shared({ version, terms, latest, clusters }: Shared, own: Legible['id']): readonly string[] {
  const audit = terms.find(({ id }) => id === 'latest_audit');
  return [
    'terms:',
    '  # What everyone here knows, each with the hash of its text.',
    `  version: ${version}`,
    ...terms.filter((text) => text !== audit).flatMap((text) => known(text, own)),
    '',
    'latest:',
    ...(audit ? ['  audit:', ...whole(audit)] : ['  audit: ~']),
    ...said('observer', 'What the observer said since.', latest.observer),
    ...said('injections', 'Messages from outside since then.', latest.injections),
    ...said('restarts', 'Requests for a restart, and what a policy did about them.', latest.restarts),
    '',
    ...(clusters.length > 0
      ? [...list('', 'clusters', 'What the pool is mostly about.', 1), ...clusters.map(line), '']
      : []),
  ];
}

function known(text: Legible, own: Legible['id']): readonly string[] {
  if (text.id === own) return [`  ${text.id}:`, `    hash: ${text.hash}`, '    text: the instructions above'];
  return [`  ${text.id}:`, ...(text.from === undefined ? [] : [`    from_round: ${text.from}`]), ...whole(text)];
}

function whole({ hash, text }: Legible): readonly string[] {
  return [`    hash: ${quoted(hash)}`, `    text: ${scalar(text.trimEnd(), '      ')}`];
}

function said(name: string, note: string, texts: readonly string[]): readonly string[] {
  return [...list('  ', name, note, texts.length), ...texts.map((text) => `    - ${scalar(text, '      ')}`)];
}

function line({ id, size, share, latest, label }: ClusterLine): string {
  const part = Math.round(share * 100);
  return `  - {id: ${id}, size: ${size}, percent: ${part}, latest: ${latest}, begins: ${quoted(label)}}`;
}

function thoughts(note: string, shown: readonly Authored[]): readonly string[] {
  return [...list('', 'thinking_pool', note, shown.length), ...shown.map(thought)];
}

function thought({ id, age, author, cluster, text }: Authored): string {
  const where = cluster ? `{id: ${cluster.id}, size: ${cluster.size}}` : '{~}';
  return `  - ${scalar(text, '    ', `#${id}, age: ${age}, author: ${author}, cluster: ${where}`)}`;
}
