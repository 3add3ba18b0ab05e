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

export function capabilitiesOf({ provider, context, capabilities }: RemoteOptions): Capabilities {
  return { ...DEFAULT_CAPABILITIES[provider], ...capabilities, context, frame: false, estimatesTokens: true };
}
