import { z } from 'zod';
import { type AgentLimits, DEFAULT_AGENT_LIMITS, MEGABYTE } from '../../core/agent-limits.ts';

const amount = z.number().int().min(0).max(100_000).exactOptional();

/** The limits for each agent in heddle.yaml (T23), under `limits.agents`. */
export const agentLimitsSchema = z.strictObject({
  threads_per_hour: amount,
  invitations_per_hour: amount,
  open_drafts: amount,
  import_mb: z.number().min(0).max(400).exactOptional(),
  upload_mb_per_hour: z.number().min(0).max(100_000).exactOptional(),
});

export function agentLimitsOf(settings: z.infer<typeof agentLimitsSchema> = {}): AgentLimits {
  const { threads_per_hour, invitations_per_hour, open_drafts, import_mb, upload_mb_per_hour } = settings;
  return {
    threadsPerHour: threads_per_hour ?? DEFAULT_AGENT_LIMITS.threadsPerHour,
    invitationsPerHour: invitations_per_hour ?? DEFAULT_AGENT_LIMITS.invitationsPerHour,
    openDrafts: open_drafts ?? DEFAULT_AGENT_LIMITS.openDrafts,
    importBytes: import_mb === undefined ? DEFAULT_AGENT_LIMITS.importBytes : import_mb * MEGABYTE,
    uploadBytesPerHour:
      upload_mb_per_hour === undefined ? DEFAULT_AGENT_LIMITS.uploadBytesPerHour : upload_mb_per_hour * MEGABYTE,
  };
}
