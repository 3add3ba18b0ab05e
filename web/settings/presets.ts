import type { WireModel } from '../../src/client/index.ts';

/** A service or program that serves models: choosing one fills in how it is asked. */
export interface ModelPreset {
  readonly id: string;
  readonly name: string;
  /** What it is, in two or three words. */
  readonly about: string;
  readonly provider: 'openai-chat' | 'openai-completions' | 'anthropic' | 'scripted';
  /** Absent: the provider's own address. */
  readonly url?: string;
  readonly needs: 'key' | 'server' | 'address' | 'file';
}

export const PRESETS: readonly ModelPreset[] = [
  { id: 'anthropic', name: 'Anthropic', about: 'Claude', provider: 'anthropic', needs: 'key' },
  { id: 'openai', name: 'OpenAI', about: 'GPT', provider: 'openai-chat', needs: 'key' },
  {
    ...{ id: 'openrouter', name: 'OpenRouter', about: 'Many models, one key', needs: 'key' },
    ...{ provider: 'openai-chat', url: 'https://openrouter.ai/api/v1' },
  },
  {
    ...{ id: 'google', name: 'Google', about: 'Gemini', needs: 'key' },
    ...{ provider: 'openai-chat', url: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  },
  {
    ...{ id: 'mistral', name: 'Mistral', about: 'Mistral, Codestral', needs: 'key' },
    ...{ provider: 'openai-chat', url: 'https://api.mistral.ai/v1' },
  },
  {
    ...{ id: 'ollama', name: 'Ollama', about: 'On this computer', needs: 'server' },
    ...{ provider: 'openai-chat', url: 'http://127.0.0.1:11434/v1' },
  },
  {
    ...{ id: 'lm-studio', name: 'LM Studio', about: 'On this computer', needs: 'server' },
    ...{ provider: 'openai-chat', url: 'http://127.0.0.1:1234/v1' },
  },
  {
    ...{ id: 'llama.cpp', name: 'llama.cpp', about: 'On this computer', needs: 'server' },
    ...{ provider: 'openai-chat', url: 'http://127.0.0.1:8080/v1' },
  },
  {
    ...{ id: 'vllm', name: 'vLLM', about: 'On your own server', needs: 'server' },
    ...{ provider: 'openai-chat', url: 'http://127.0.0.1:8000/v1' },
  },
  { id: 'other', name: 'Other', about: 'OpenAI-compatible', provider: 'openai-chat', needs: 'address' },
  { id: 'base', name: 'Base model', about: 'Continues a text', provider: 'openai-completions', needs: 'address' },
  { id: 'scripted', name: 'Scripted', about: 'Plays a file, for tests', provider: 'scripted', needs: 'file' },
];

export function presetById(id: string | undefined): ModelPreset {
  return (
    PRESETS.find((preset) => preset.id === id) ?? (PRESETS.find(({ id: other }) => other === 'other') as ModelPreset)
  );
}

/** The preset that a model was added with, by its provider and address. */
export function presetOf({ provider, base_url }: Pick<WireModel, 'provider' | 'base_url'>): ModelPreset {
  const matches = PRESETS.filter((preset) => preset.provider === provider);
  const exact = matches.find(({ url, needs }) => needs !== 'address' && url === base_url);
  return exact ?? matches.find(({ needs }) => needs === 'address') ?? matches[0] ?? presetById('other');
}

/** What people call its provider: "Ollama", "built in". */
export function providerName(model: Pick<WireModel, 'provider' | 'base_url'>): string {
  if (model.provider === 'embedded') return 'Built in';
  if (model.provider === 'local') return 'On this computer';
  const { needs, name } = presetOf(model);
  if (needs !== 'address') return name;
  return model.base_url !== undefined && URL.canParse(model.base_url) ? new URL(model.base_url).host : name;
}

/** A name for a model that no other has: its ID, with what names may not have left out. */
export function suggestName(modelId: string, taken: ReadonlySet<string>): string {
  const words = modelId.slice(modelId.lastIndexOf('/') + 1).split(/[^A-Za-z0-9._-]/);
  const joined = words.filter(Boolean).join('-').slice(0, 60);
  const base = /^[A-Za-z0-9]/.test(joined) ? joined : 'model';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}
