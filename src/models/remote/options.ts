import type { Capabilities } from '../model.ts';
import type { QuirkBook } from './quirks/quirks.ts';
import type { Transport } from './transport.ts';

export type RemoteProvider = 'openai-chat' | 'openai-completions' | 'anthropic';

/** The settings of a model on a remote server. */
export interface RemoteOptions {
  /** The model's name in Heddle. */
  readonly id: string;
  readonly provider: RemoteProvider;
  /** Defaults to the provider's own URL. */
  readonly baseUrl?: string;
  /** The model ID at the provider. */
  readonly model: string;
  readonly apiKey?: string;
  /** Tokens of prompt and answer together. */
  readonly context: number;
  readonly capabilities?: Partial<Omit<Capabilities, 'context'>>;
  readonly timeouts?: Partial<Timeouts>;
  /** Additional fields of every request, passed on unchanged. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The known quirks of the server; without it, quirks are forgotten with the model. */
  readonly quirks?: QuirkBook;
  /** Carries the request; a real connection by default. */
  readonly transport?: Transport;
}

/** Timeouts in milliseconds. */
export interface Timeouts {
  /** Until the connection is established and its certificate checked. */
  readonly connect: number;
  readonly firstToken: number;
  /** Between two pieces of an answer. */
  readonly idle: number;
  /** For the whole request, including retries. */
  readonly total: number;
}

/** The providers' own URLs. */
export const DEFAULT_URLS: Readonly<Record<RemoteProvider, string>> = {
  'openai-chat': 'https://api.openai.com/v1',
  'openai-completions': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, firstToken: 120_000, idle: 60_000, total: 900_000 };

const DEFAULT_CAPABILITIES: Record<RemoteProvider, Omit<Capabilities, 'context'>> = {
  'openai-completions': { n: 16, logprobs: 5, streaming: true, fillInTheMiddle: false, frame: false },
  'openai-chat': { n: 8, logprobs: 20, streaming: true, fillInTheMiddle: false, frame: false },
  anthropic: { n: 1, logprobs: 0, streaming: true, fillInTheMiddle: false, frame: false },
};

/** Model names whose makers say that they see. */
const SEEING_MODELS =
  /gpt-4o|gpt-4\.1|gpt-[5-9]|chatgpt|\bo[34]\b|claude|gemini|gemma-?3|llava|bakllava|moondream|minicpm-v|pixtral|mistral-(small|medium)-3|vision|llama-?4|[-_.\d]vl\b/i;

/** Whether a model takes images, if the settings do not say (M16). */
function seesByDefault({ provider, baseUrl, model }: RemoteOptions): boolean {
  if (provider === 'openai-completions') return false;
  return baseUrl === undefined || SEEING_MODELS.test(model);
}

export function capabilitiesOf(options: RemoteOptions): Capabilities {
  const { provider, context, capabilities } = options;
  const images = (capabilities?.images ?? seesByDefault(options)) && provider !== 'openai-completions';
  return {
    ...{ ...DEFAULT_CAPABILITIES[provider], ...capabilities, context, frame: false, estimatesTokens: true },
    images,
  };
}
