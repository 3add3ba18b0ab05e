import { type Attachment, cleanFileName, formatSize } from '../../core/attachments/attachment.ts';
import { isRefusal } from '../../core/refusal.ts';
import { escapeTemplateMarks } from '../../core/text/sanitize.ts';
import type { Capabilities, ChatImage } from '../../models/model.ts';
import type { Files } from './files.ts';

/** What a model gets of the files at one text (M16): words to add to the text, and images. */
export interface ShownFiles {
  readonly text: string;
  readonly images: readonly ChatImage[];
}

/** Shows the files of several texts, oldest first, to a model that takes so much. */
export type ShowFiles = (capabilities: Pick<Capabilities, 'context' | 'images'>) => readonly ShownFiles[];

const MAX_IMAGES = 20;
/** As base64 this is the 5 MB that providers take. */
const MAX_IMAGE_BYTES = 3.75 * 1024 * 1024;
const MAX_IMAGES_BYTES = 15 * 1024 * 1024;
const MODEL_IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_TEXTS_BYTES = 256 * 1024;
/** What providers count for a large image; they shrink anything larger. */
const MAX_IMAGE_TOKENS = 1600;
const PIXELS_PER_TOKEN = 750;

interface PreparedFile {
  readonly attachment: Attachment;
  readonly state: 'missing' | 'image' | 'text' | 'other';
  /** The start of a text. */
  readonly content?: string;
}

/** Reads what models can be shown, whichever model it will be: the newest texts now, images when they are sent. */
export async function prepareFiles(files: Files, lists: readonly (readonly Attachment[])[]): Promise<ShowFiles> {
  const prepared: (readonly PreparedFile[])[] = [];
  let room = MAX_TEXTS_BYTES;
  for (const list of lists.toReversed()) {
    const ownFiles: PreparedFile[] = [];
    for (const attachment of list.toReversed()) {
      const file = await prepareFile(files, attachment, room > 0);
      room -= Buffer.byteLength(file.content ?? '');
      ownFiles.unshift(file);
    }
    prepared.unshift(ownFiles);
  }
  return (capabilities) => showTo(files, prepared, capabilities);
}

async function prepareFile(files: Files, named: Attachment, isTextWanted: boolean): Promise<PreparedFile> {
  const facts = await files.describe(named.blob);
  if (!facts || isRefusal(facts)) return { attachment: named, state: 'missing' };
  // An imported event may say something else.
  const attachment = { ...named, ...facts };
  if (MODEL_IMAGE_TYPES.has(facts.type)) return { attachment, state: 'image' };
  if (facts.type !== 'text/plain' || !isTextWanted) return { attachment, state: 'other' };
  const bytes = await files.open(named.blob);
  if (!bytes || isRefusal(bytes)) return { attachment, state: 'missing' };
  return { attachment, state: 'text', content: startOf(bytes, MAX_TEXT_BYTES) };
}

/** The newest come first when there is not room for all; they are numbered in the order of the texts. */
function showTo(
  files: Files,
  prepared: readonly (readonly PreparedFile[])[],
  { context, images: takesImages = false }: Pick<Capabilities, 'context' | 'images'>,
): readonly ShownFiles[] {
  const [sentImages, sentTexts] = [new Set<PreparedFile>(), new Map<PreparedFile, string>()];
  let [imageBytes, textBytes] = [MAX_IMAGES_BYTES, Math.min(MAX_TEXTS_BYTES, context)];
  for (const file of prepared.flat().toReversed()) {
    const { size } = file.attachment;
    if (file.state === 'image' && takesImages && sentImages.size < MAX_IMAGES && size <= MAX_IMAGE_BYTES) {
      if (size > imageBytes) continue;
      imageBytes -= size;
      sentImages.add(file);
    } else if (file.content !== undefined && textBytes > 0) {
      const text = startOf(Buffer.from(file.content), textBytes);
      textBytes -= Buffer.byteLength(text);
      sentTexts.set(file, text);
    }
  }
  let number = 0;
  return prepared.map((list) => {
    const images: ChatImage[] = [];
    const texts = list.map((file) => {
      if (sentImages.has(file)) {
        const label = `image ${++number}`;
        images.push(imageOf(files, file.attachment, label));
        return nameLine(file, `shown as ${label}`);
      }
      const text = sentTexts.get(file);
      return text === undefined ? nameLine(file, absenceOf(file)) : textBlock(file, text);
    });
    return { text: texts.join('\n'), images };
  });
}

function absenceOf({ state }: PreparedFile): string {
  return state === 'missing' ? 'missing in this workspace' : 'not shown to this model';
}

function nameLine({ attachment: { name, size } }: PreparedFile, note?: string): string {
  const plainName = escapeTemplateMarks(cleanFileName(name)).replaceAll('[', '(').replaceAll(']', ')');
  return `[attached: ${plainName}, ${formatSize(size)}${note === undefined ? '' : `, ${note}`}]`;
}

/** The fence is longer than any in the text, so the text cannot end it. */
function textBlock(file: PreparedFile, text: string): string {
  const shownBytes = Buffer.byteLength(text);
  const note = shownBytes < file.attachment.size ? `the first ${formatSize(shownBytes)} of it` : undefined;
  const longestRun = (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 2);
  const fence = '`'.repeat(longestRun + 1);
  const language = /\.([a-z0-9+#-]{1,12})$/i.exec(file.attachment.name)?.[1]?.toLowerCase() ?? '';
  return [nameLine(file, note), `${fence}${language}`, text.replace(/\n$/, ''), fence].join('\n');
}

function imageOf(files: Files, { blob, type, width, height }: Attachment, label: string): ChatImage {
  const pixels = width !== undefined && height !== undefined ? width * height : Number.POSITIVE_INFINITY;
  return {
    ...{ blob, type, label, tokens: Math.min(MAX_IMAGE_TOKENS, Math.ceil(pixels / PIXELS_PER_TOKEN)) },
    async read() {
      const bytes = await files.open(blob);
      return bytes && !isRefusal(bytes) ? bytes.toString('base64') : undefined;
    },
  };
}

function startOf(bytes: Buffer, maxBytes: number): string {
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}

/** A text with what is said about its files below it. */
export function joinText(text: string, shown: ShownFiles | undefined): string {
  return shown === undefined || shown.text === '' ? text : `${text}\n\n${shown.text}`;
}
