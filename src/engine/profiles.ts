import { isShownImage } from '../core/attachments/attachment.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';
import { RESERVED_IDS } from '../core/threads/fixed-names.ts';
import { foldName, hasInvisible } from '../core/threads/participants/nicknames.ts';
import type { EventLog } from '../log/event-log.ts';
import { PROFILE } from '../log/record-kinds.ts';
import type { ProfileChange, WirePerson } from '../protocol/people.ts';
import { sniffFile } from './attachments/sniff.ts';
import type { LiveMessage } from './tail.ts';

const MAX_PICTURE_BYTES = 256 * 1024;

/** What a person says of themselves, in every thread: a name, and a picture as a blob (T37). */
export type OwnProfile = { readonly name?: string; readonly picture?: string };

interface ProfilesParts {
  readonly log: EventLog;
  /** Everybody in the workspace, to keep names apart. */
  people(): Promise<Readonly<Record<string, WirePerson>>>;
  openBlob(blob: string): Promise<Uint8Array | Refusal | undefined>;
  sendLive(item: LiveMessage): void;
}

export function createProfiles({ log, people, openBlob, sendLive }: ProfilesParts) {
  async function list(): Promise<ReadonlyMap<string, OwnProfile>> {
    return new Map((await log.records(PROFILE)).map(({ key, value }) => [key, JSON.parse(value)]));
  }

  async function change(participant: string, { name, picture }: ProfileChange): Promise<OwnProfile | Refusal> {
    const problem = (name && (await checkName(participant, name))) || (picture && (await checkPicture(picture)));
    if (problem) return problem;
    const current: OwnProfile = JSON.parse((await log.record(PROFILE, participant)) ?? '{}');
    const merged = { ...current, ...(name !== undefined && { name }), ...(picture !== undefined && { picture }) };
    const profile: OwnProfile = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
    await log.putRecords([{ kind: PROFILE, key: participant, value: JSON.stringify(profile) }]);
    sendLive({ thread: '', type: 'people.updated', content: { participant } });
    return profile;
  }

  /** Nobody goes by the name or the id of another (T22). */
  async function checkName(participant: string, name: string): Promise<Refusal | undefined> {
    const folded = foldName(name);
    if (hasInvisible(name) || folded === '')
      return refuse('malformed', 'A name must be one line without control or invisible characters.');
    if (RESERVED_IDS.includes(folded)) return refuse('forbidden', `"${folded}" is reserved. Choose another name.`);
    const other = Object.entries(await people()).find(
      ([id, person]) => id !== participant && [id, person.name].some((each) => foldName(each) === folded),
    );
    return other && refuse('forbidden', `"${name}" is already the name of ${other[0]}. Choose another name.`);
  }

  async function checkPicture(blob: string): Promise<Refusal | undefined> {
    const bytes = await openBlob(blob);
    if (!bytes) return refuse('unknown_blob', 'There is no such file. Upload the picture first: POST /api/blobs.');
    if (isRefusal(bytes)) return bytes;
    if (bytes.length > MAX_PICTURE_BYTES)
      return refuse('too_large', `This picture is larger than ${MAX_PICTURE_BYTES / 1024} KB. Choose a smaller one.`);
    if (!isShownImage(sniffFile(bytes)))
      return refuse('malformed', 'This is not a PNG, JPEG, GIF, WebP or AVIF file. Choose one of these.');
    return undefined;
  }

  return { list, change };
}
