import type { Capabilities } from '../model.ts';
import type { QuirkBook } from './quirks/quirks.ts';
import type { Transport } from './transport.ts';

export type RemoteProvider = 'openai-chat' | 'openai-completions' | 'anthropic';

/** A model at the other end of a wire. */
export interface RemoteOptions {
  /** What it is called here. */
  readonly id: string;
  readonly provider: RemoteProvider;
  /** Without one, the provider's own. */
  readonly baseUrl?: string;
  /** What it is called there. */
  readonly model: string;
  readonly apiKey?: string;
  /** Tokens of prompt and answer together. */
  readonly context: number;
  readonly capabilities?: Partial<Omit<Capabilities, 'context'>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeouts?: Partial<Timeouts>;
  readonly template?: PromptTemplate;
  /** Further fields of every request, passed on as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What is known of the server; without one, what is found out is forgotten with the model. */
  readonly quirks?: QuirkBook;
  /** What carries the request; a real connection unless something else stands in for it. */
  readonly transport?: Transport;
}

/** In milliseconds. */
export interface Timeouts {
  /** Until the connection stands, with its certificate checked. */
  readonly connect: number;
  readonly firstToken: number;
  /** Between two pieces of an answer. */
  readonly idle: number;
  /** For everything, tries again included. */
  readonly total: number;
}

export interface PromptTemplate {
  /** What a chat model is told when it is to go on from a text. */
  readonly continuation?: string;
}

/** Where a provider is by itself. */
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
