import { cleanFileName, type NamedAttachment } from '../../core/attachments/attachment.ts';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Command } from '../../core/workspace.ts';
import { putBytes } from '../../log/blobs.ts';
import type { EventLog } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { createAllowances } from '../usage/allowances.ts';
import { type BlobFacts, createFiles } from './files.ts';
import { sniffFile } from './sniff.ts';

export interface UploadParts {
  readonly log: EventLog;
  readonly allowances: ReturnType<typeof createAllowances>;
  now(): string;
  newId(): string;
}

/** Files that are uploaded and attached (I27). */
export function createUploads({ log, allowances, now, newId }: UploadParts) {
  const files = createFiles(log);

  /** Stores bytes as they are. Bytes that are there already cost nothing. */
  function store(
    actor: Actor,
    read: () => Promise<Uint8Array>,
  ): Promise<({ readonly blob: string } & BlobFacts) | Refusal> {
    return files.inTurn(async () => {
      const bytes = await read();
      const blob = sha256(bytes);
      const known = await files.recordedFacts(blob);
      if (known) return { blob, ...known };
      const facts = { size: bytes.length, ...sniffFile(bytes) };
      const save = async () => {
        await putBytes(log, bytes, {
          shrinks: facts.type === 'text/plain' || facts.type === 'application/octet-stream',
        });
        await files.record(blob, { ...facts, by: actor.id, at: now() });
        return undefined;
      };
      const refusal = await withinAllowance(actor, bytes.length, save);
      return refusal ?? { blob, ...facts };
    });
  }

  /** Agents have an hourly limit (T23). */
  async function withinAllowance(actor: Actor, uploads: number, save: () => Promise<undefined>) {
    if (actor.kind === 'human') return save();
    const demand = { threads: 0, invitations: 0, uploads };
    return allowances.runWithin({ actor, demand, id: newId() }, async (records) => {
      await save();
      await log.putRecords(records);
      return undefined;
    });
  }

  /** Puts what is known about a command's files in place of what the client says about them. */
  async function resolve(command: Command, named: readonly NamedAttachment[]): Promise<Command | Refusal> {
    const attachments: NamedAttachment[] = [];
    for (const { blob, name } of named) {
      const facts = await files.describe(blob);
      if (facts && isRefusal(facts)) return facts;
      if (!facts) return unknownBlob(blob, 'Nothing was posted; upload the file first (POST /api/blobs).');
      attachments.push({ blob, name: cleanFileName(name), ...facts });
    }
    const input = command.input as AttachingInput;
    const resolved = input.attachments ? { ...input, attachments } : { ...input, meta: { ...input.meta, attachments } };
    return { ...command, input: resolved } as unknown as Command;
  }

  return { store, open: files.open, resolve };
}

interface AttachingInput {
  readonly attachments?: readonly NamedAttachment[];
  readonly meta?: { readonly attachments?: readonly NamedAttachment[] };
}

/** The files that a command names; undefined for nearly every command. */
export function attachmentsIn({ input }: Command): readonly NamedAttachment[] | undefined {
  const { attachments, meta } = input as AttachingInput;
  return attachments ?? meta?.attachments;
}

export function unknownBlob(blob: string, advice: string): Refusal {
  return refuse('unknown_blob', `There is no file ${blob.slice(0, 12)}… in this workspace. ${advice}`, { blob });
}
