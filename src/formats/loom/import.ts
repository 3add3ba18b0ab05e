import { isUtf8 } from 'node:buffer';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { type JsonProblem, type JsonValue, parseLooseJson } from './json.ts';
import { isExoloom, readExoloom } from './read/exoloom.ts';
import { isLoomsidian, readLoomsidian } from './read/loomsidian.ts';
import { isMikupad, readMikupad } from './read/mikupad.ts';
import { isMiniloom, readMiniloom } from './read/miniloom.ts';
import { isOpenLoom, readOpenLoom } from './read/openloom.ts';
import { isSillyTavern, readSillyTavern } from './read/sillytavern.ts';
import { isSocketteer, readSocketteer } from './read/socketteer.ts';
import { readText } from './read/text.ts';
import { reportName } from './report.ts';
import { type ImportedLoom, type ImportProblem, type LoomFile, type LoomFormat, loomFormats } from './tree.ts';

type JsonFormat = Exclude<LoomFormat, 'sillytavern' | 'text'>;

/** Most specific formats first: several of them have `{nodes}`. */
const readers: Record<
  JsonFormat,
  { is(value: JsonValue): boolean; read(value: JsonValue, name: string): readonly ImportedLoom[] }
> = {
  exoloom: { is: isExoloom, read: readExoloom },
  miniloom: { is: isMiniloom, read: readMiniloom },
  mikupad: { is: isMikupad, read: readMikupad },
  loomsidian: { is: isLoomsidian, read: readLoomsidian },
  openloom: { is: isOpenLoom, read: readOpenLoom },
  socketteer: { is: isSocketteer, read: readSocketteer },
};
const jsonFormats = Object.keys(readers) as readonly JsonFormat[];

/**
 * Looms from files of other programs (W26): one for a file, one for each note of
 * an Obsidian vault, one for a whole folder of chats.
 */
export function importLooms(
  files: readonly LoomFile[],
  format: LoomFormat | 'auto' = 'auto',
): readonly ImportedLoom[] | Refusal {
  const texts: { name: string; content: string }[] = [];
  const lossyFiles: string[] = [];
  for (const { name, content } of files) {
    const text = typeof content === 'string' ? content : decodeBytes(content);
    if (text === undefined) return refuse('bad_file', `${name} is not text. Give a file that a loom program saved.`);
    if (typeof content !== 'string' && (content[0] ?? 0) < 0xfe && !isUtf8(content)) lossyFiles.push(name);
    texts.push({ name, content: text });
  }
  const [first] = texts;
  if (first === undefined) return refuse('bad_file', 'There is no file to import. Name at least one.');
  const looms = readLooms(texts, first, format);
  if ('refusal' in looms || lossyFiles.length === 0) return looms;
  const problem = {
    what: 'The file is not entirely UTF-8; invalid bytes were replaced by U+FFFD.',
    count: lossyFiles.length,
    where: lossyFiles,
  };
  return looms.map((imported) => withProblem(imported, problem));
}

function readLooms(
  files: readonly { name: string; content: string }[],
  first: { name: string; content: string },
  format: LoomFormat | 'auto',
): readonly ImportedLoom[] | Refusal {
  const detected = format === 'auto' ? detectFormat(first.content, first.name) : { format };
  if ('refusal' in detected) return detected;
  const title = first.name.replace(/^.*[\\/]/, '').replace(/\.[a-z0-9]{1,8}$/i, '');
  if (detected.format === 'sillytavern') return requireNodes(readSillyTavern(files, title), first.name, 'sillytavern');
  if (files.length > 1)
    return refuse(
      'bad_file',
      `Only SillyTavern chats can be combined from several files. Import ${first.name} and the others one by one.`,
    );
  if (detected.format === 'text') return readText(first.content, title);
  const json = detected.json ?? parseLooseJson(first.content);
  if ('problem' in json) return brokenJson(first.name, json);
  const imported = requireNodes(readers[detected.format].read(json.value, title), first.name, detected.format);
  const [duplicateKey] = json.duplicateKeys;
  if (duplicateKey === undefined || 'refusal' in imported) return imported;
  const problem = {
    what: 'A key appears twice in one object; the last one counts.',
    count: json.duplicateKeys.length,
    where: json.duplicateKeys.slice(0, 5).map(reportName),
  };
  return imported.map((loom) => withProblem(loom, problem));
}

type DetectedFormat = {
  readonly format: LoomFormat;
  readonly json?: { readonly value: JsonValue; readonly duplicateKeys: readonly string[] };
};

/** Detects a format by content; the file name only tells plain text from the rest. */
export function detectFormat(content: string, name: string): DetectedFormat | Refusal {
  const opening = /^[\ufeff\s]*([{[])?/.exec(content.slice(0, 10_000))?.[1];
  if (content.trim() === '') return refuse('bad_file', `${name} is empty. There is nothing to import.`);
  if (opening === undefined || /\.(txt|md|markdown)$/i.test(name)) return { format: 'text' };
  const json = parseLooseJson(content);
  if (!('problem' in json)) {
    if (isSillyTavern(json.value)) return { format: 'sillytavern' };
    const format = jsonFormats.find((known) => readers[known].is(json.value));
    return format ? { format, json } : unknownFormat(name, 'It is JSON, but none of these formats.');
  }
  const line = parseLooseJson(content.slice(0, content.indexOf('\n') + 1 || content.length));
  if (!('problem' in line)) {
    if (isSillyTavern(line.value)) return { format: 'sillytavern' };
    return unknownFormat(name, 'It is JSON line by line, but not chats.');
  }
  return /\.(json|jsonl)$/i.test(name) ? brokenJson(name, json) : { format: 'text' };
}

function requireNodes(
  imported: readonly ImportedLoom[],
  name: string,
  format: LoomFormat,
): readonly ImportedLoom[] | Refusal {
  if (imported.some(({ tree, report }) => tree.nodes.length > 0 || report.nodes > 0)) return imported;
  return refuse(
    'bad_file',
    `${name} contains no loom nodes when read as ${format}. Try another --format: ${loomFormats.join(', ')}.`,
  );
}

function unknownFormat(name: string, why: string): Refusal {
  return refuse(
    'bad_file',
    `${name} is in none of the known formats (${loomFormats.join(', ')}). ${why} Name the format with --format to read it anyway.`,
  );
}

function brokenJson(name: string, { problem }: JsonProblem): Refusal {
  return refuse(
    'bad_file',
    `${name} is not complete JSON: ${problem}. Use another copy, or --format text to import it as plain text.`,
  );
}

function withProblem({ tree, report }: ImportedLoom, problem: ImportProblem): ImportedLoom {
  return { tree, report: { ...report, problems: [...report.problems, problem] } };
}

function decodeBytes(bytes: Uint8Array): string | undefined {
  const [firstByte, secondByte] = bytes;
  if (firstByte === 0xff && secondByte === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (firstByte === 0xfe && secondByte === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  return new TextDecoder().decode(bytes);
}
