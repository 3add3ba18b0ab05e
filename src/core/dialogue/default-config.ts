import type { DialogueConfig } from './config.ts';

export const DEFAULT_CONFIG: DialogueConfig = {
  model: null,
  self: 'mind_0',
  active_pool_size: 50,
  thought_display_chars: 3000,
  thought_display_count: 10,
  thought_recent_count: 0,
  thought_recall_count: 0,
  draft_display_chars: 2000,
  draft_display_count: 16,
  history_pairs: 10,
  auto_accept: null,
  budget: {},
  prompt: null,
  temperature: null,
};
