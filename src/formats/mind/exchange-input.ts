import type {
  AuditInput,
  AuthoredThought,
  ClusterLine,
  ExchangeMindInput,
  RequiredText,
} from '../../core/exchange/rounds/inputs.ts';
import { listHeader, quote, yamlText } from './write-yaml.ts';

/**
 * Writes the input of a mind in an exchange as YAML with comments (X14). Every text survives the round trip unchanged.
 */
export function writeExchangeInput({ meta, ...input }: ExchangeMindInput): string {
  return [
    ...questionLines(input.question),
    'meta:',
    `  self: ${meta.self}`,
    `  round: ${meta.round}`,
    `  iter: ${meta.iter}`,
    `  minds: [${meta.minds.join(', ')}]`,
    '',
    ...sharedLines(input, 'mind_prompt'),
    ...poolLines("A random sample of the pool's thoughts, in no order. What is worth keeping?", input.thoughts),
    '',
  ].join('\n');
}

export function writeAuditInput({ meta, ...input }: AuditInput): string {
  return [
    ...questionLines(input.question),
    'meta:',
    `  round: ${meta.round}`,
    `  audit: ${meta.audit}`,
    '',
    ...sharedLines(input, 'auditor_spec'),
    ...poolLines('The active thoughts, oldest first, each with its number.', input.thoughts),
    '',
  ].join('\n');
}

/** The question comes before everything else (X15). */
function questionLines(question: string): readonly string[] {
  return question === '' ? [] : [`question: ${yamlText(question, '  ')}`, ''];
}

type SharedInput = Omit<ExchangeMindInput, 'meta'>;

/** The reader's own instructions are already given in full above, so this part only identifies them. */
function sharedLines({ version, terms, latest, clusters }: SharedInput, ownId: RequiredText['id']): readonly string[] {
  const audit = terms.find(({ id }) => id === 'latest_audit');
  return [
    'terms:',
    '  # What everyone here knows, each with the hash of its text.',
    `  version: ${version}`,
    ...terms.filter((text) => text !== audit).flatMap((text) => termLines(text, ownId)),
    '',
    'latest:',
    ...(audit ? ['  audit:', ...textLines(audit)] : ['  audit: ~']),
    ...messageLines('observer', 'What the observer said since.', latest.observer),
    ...messageLines('injections', 'Messages from outside since then.', latest.injections),
    ...messageLines('restarts', 'Requests for a restart, and what a policy did about them.', latest.restarts),
    '',
    ...(clusters.length > 0
      ? [...listHeader('', 'clusters', 'What the pool is mostly about.', 1), ...clusters.map(clusterLine), '']
      : []),
  ];
}

function termLines(text: RequiredText, ownId: RequiredText['id']): readonly string[] {
  if (text.id === ownId) return [`  ${text.id}:`, `    hash: ${text.hash}`, '    text: the instructions above'];
  return [`  ${text.id}:`, ...(text.from === undefined ? [] : [`    from_round: ${text.from}`]), ...textLines(text)];
}

function textLines({ hash, text }: RequiredText): readonly string[] {
  return [`    hash: ${quote(hash)}`, `    text: ${yamlText(text.trimEnd(), '      ')}`];
}

function messageLines(name: string, note: string, texts: readonly string[]): readonly string[] {
  return [...listHeader('  ', name, note, texts.length), ...texts.map((text) => `    - ${yamlText(text, '      ')}`)];
}

function clusterLine({ id, size, share, latest, label }: ClusterLine): string {
  const percent = Math.round(share * 100);
  return `  - {id: ${id}, size: ${size}, percent: ${percent}, latest: ${latest}, begins: ${quote(label)}}`;
}

function poolLines(note: string, poolThoughts: readonly AuthoredThought[]): readonly string[] {
  return [...listHeader('', 'thinking_pool', note, poolThoughts.length), ...poolThoughts.map(thoughtLine)];
}

function thoughtLine({ id, age, author, cluster, text }: AuthoredThought): string {
  const clusterText = cluster ? `{id: ${cluster.id}, size: ${cluster.size}}` : '{~}';
  return `  - ${yamlText(text, '    ', `#${id}, age: ${age}, author: ${author}, cluster: ${clusterText}`)}`;
}
