import { z } from 'zod';
import { localNames } from '../builtin/larger/pinned.ts';

/** What a model may be wanted for without being named. */
export const roles = ['mind', 'auditor', 'loom'] as const;
export type Role = (typeof roles)[number];

const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names are short or in capitals with a line between words; what is long and has digits anywhere is the key itself. */
const LOOKS_LIKE_A_KEY =
  /^(sk|pk|hdl|ghp|xai|gsk|AIza)[-_A-Za-z0-9]{8,}$|^(?=.*[a-z])(?=.*\d)[A-Za-z0-9_-]{20,}$|^(?=.*\d)([A-Z0-9]{16,}|[a-f0-9]{16,})$/;
/** Where any word may stand, only what begins as keys do. */
const BEGINS_LIKE_A_KEY = /^((sk|pk|ghp|xai|gsk|hdl)[-_](?=.*\d)|AIza)[-_A-Za-z0-9]{16,}$/;
const WHERE_KEYS_BELONG =
  'Keys stay out of files: put it in an environment variable and write the name of that variable in "api_key_env"';
const KEY_BELONGS_ELSEWHERE = `looks like a key itself. ${WHERE_KEYS_BELONG}`;

const isKeyFree = (value: string) => !BEGINS_LIKE_A_KEY.test(value);
export const looksLikeKey = (value: string) => LOOKS_LIKE_A_KEY.test(value);

const SECRET_FIELD = /^(api_?)?(key|token|secret|password|authorization)$/i;

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'a name is 1 to 64 letters, digits, ".", "_" or "-"');
/** A name somebody gives now: a key in its place is refused without being repeated, which a file's line would do. */
export const newName = name.refine(isKeyFree, `what looks like a key is no name. ${WHERE_KEYS_BELONG}`);

const keyName = z.string().superRefine((value, context) => {
  if (looksLikeKey(value)) context.addIssue({ code: 'custom', message: KEY_BELONGS_ELSEWHERE });
  else if (!ENVIRONMENT_NAME.test(value))
    context.addIssue({ code: 'custom', message: 'must be the name of an environment variable, such as MY_KEY' });
});

const address = z.string().superRefine((value, context) => {
  const no = (message: string) => context.addIssue({ code: 'custom', message });
  // A parser of addresses leaves out line ends and tabs without a word.
  const isPlain = value.length <= 2000 && !/[\s\p{Cc}]/u.test(value) && URL.canParse(value);
  if (!isPlain || !/^https?:$/.test(new URL(value).protocol))
    return no('must be an address that begins with http:// or https://');
  const { username, password, search } = new URL(value);
  if (username !== '' || password !== '' || /key|token|secret/i.test(search))
    no('has a secret in it. Put it in an environment variable and name that in "api_key_env"');
});

const perMillion = z.number().nonnegative().max(1_000_000);
const price = z.strictObject({ input: perMillion, output: perMillion });
const context = z.number().int().min(16).max(100_000_000);
/** What a server can do cannot be found out by asking: it is said here where it differs from the usual. */
const abilities = {
  n: z.number().int().min(1).max(128),
  logprobs: z.number().int().min(0).max(20),
  fill_in_the_middle: z.boolean(),
};
/** In seconds. */
const seconds = z.number().positive().max(86_400).exactOptional();
const RESERVED = ['model', 'messages', 'prompt', 'suffix', 'system', 'stream'];
/** Further fields of every request, which are passed on as they are. */
const extra = z.record(z.string().min(1).max(100), z.json()).superRefine((fields, issues) => {
  const no = (path: readonly string[], message: string) =>
    issues.addIssue({ code: 'custom', path: [...path], message });
  for (const [field, value] of Object.entries(fields)) {
    if (RESERVED.includes(field)) no([field], 'is set by Heddle itself');
    else if (SECRET_FIELD.test(field) || !isKeyFree(typeof value === 'string' ? value : ''))
      no([field], KEY_BELONGS_ELSEWHERE);
  }
});
const remote = {
  /** Without one, the provider's own. */
  base_url: address.exactOptional(),
  model: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}+$/u, 'it must be one line')
    .refine(isKeyFree, KEY_BELONGS_ELSEWHERE),
  api_key_env: keyName.exactOptional(),
  context: context.exactOptional(),
  price: price.exactOptional(),
  extra: extra.exactOptional(),
  timeouts: z.strictObject({ connect: seconds, first_token: seconds, idle: seconds, total: seconds }).exactOptional(),
};
const several = { n: abilities.n.exactOptional(), logprobs: abilities.logprobs.exactOptional() };

const providers = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('openai-completions'),
    ...remote,
    ...several,
    fill_in_the_middle: abilities.fill_in_the_middle.exactOptional(),
  }),
  z.strictObject({ provider: z.literal('openai-chat'), ...remote, ...several }),
  z.strictObject({ provider: z.literal('anthropic'), ...remote }),
  z.strictObject({ provider: z.literal('embedded'), model: z.enum(['small']).exactOptional() }),
  z.strictObject({ provider: z.literal('local'), model: z.enum(localNames) }),
  z.strictObject({ provider: z.literal('scripted'), path: z.string().min(1).max(1000), price: price.exactOptional() }),
]);

/** A key in a file is refused before anything else is looked at, and never repeated. */
const keyless = z.unknown().superRefine((value, issues) => {
  if (typeof value !== 'object' || value === null) return;
  const found = Object.keys(value).find((field) => SECRET_FIELD.test(field));
  if (found !== undefined)
    issues.addIssue({
      code: 'custom',
      path: [found],
      message:
        'would be a key written into a file. Put the key in an environment variable and write the name of that variable in "api_key_env"',
    });
});

const modelEntry = keyless.pipe(providers);

const words = z.array(z.string().min(1)).min(1);
const permission = z.string().min(1).max(64).exactOptional();
const model = z.string().min(1).max(128).exactOptional();
const places = z
  .array(
    z
      .string()
      .max(1000)
      .regex(/^(\/|~\/|[A-Za-z]:\\)/, 'a path is absolute, or begins with "~/"'),
  )
  .max(64)
  .exactOptional();
const ofEveryClient = {
  permission,
  model,
  /** Names of variables it may see besides those it needs anyway. */
  environment: z.array(keyName).max(64).exactOptional(),
  /** Places it sees or may change where it runs in a sandbox, besides its own. */
  readable: places,
  writable: places,
  /** How long it may take to answer. */
  seconds: z.number().positive().max(86_400).exactOptional(),
};
const clientEntry = keyless.pipe(
  z.discriminatedUnion('adapter', [
    ...(['claude', 'codex', 'gemini'] as const).map((adapter) =>
      z.strictObject({ adapter: z.literal(adapter), command: words.exactOptional(), ...ofEveryClient }),
    ),
    ...(['acp', 'command'] as const).map((adapter) =>
      z.strictObject({ adapter: z.literal(adapter), command: words, ...ofEveryClient }),
    ),
  ] as never),
) as z.ZodType<ClientEntry>;

export const limit = z.strictObject({
  tokens: z.number().int().positive().exactOptional(),
  money: z.number().positive().exactOptional(),
});

/** The part of heddle.yaml that is about models (C5). */
export const registrySettings = {
  models: z.record(name, modelEntry).default({}),
  clients: z.record(name, clientEntry).default({}),
  defaults: z.strictObject({ mind: name, auditor: name, loom: name }).partial().default({}),
  /** For the workspace as a whole; for a thread or a run that has none of its own. */
  budgets: z.strictObject({ workspace: limit, thread: limit, run: limit }).partial().default({}),
};

/** Whether programs run in a sandbox: where there is one, never, or not without one. */
export const sandboxModes = ['auto', 'off', 'required'] as const;
export type SandboxMode = (typeof sandboxModes)[number];

export type Provider = ModelEntry['provider'];
export type ModelEntry = z.infer<typeof providers>;
export interface ClientEntry {
  readonly adapter: 'claude' | 'codex' | 'gemini' | 'acp' | 'command';
  readonly command?: readonly string[];
  readonly permission?: string;
  readonly model?: string;
  readonly environment?: readonly string[];
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  readonly seconds?: number;
}
export type Limit = z.infer<typeof limit>;
export interface Budgets {
  readonly workspace?: Limit | undefined;
  readonly thread?: Limit | undefined;
  readonly run?: Limit | undefined;
}
export interface RegistrySettings {
  readonly models: Readonly<Record<string, ModelEntry>>;
  readonly clients: Readonly<Record<string, ClientEntry>>;
  readonly defaults: { readonly [Name in Role]?: string | undefined };
  readonly budgets: Budgets;
  readonly sandbox?: SandboxMode;
  /** The models that stand in the workspace's own file, where they can be changed. */
  readonly written?: readonly string[];
}

/** Without a word in any file there is this one. */
export const ALWAYS_THERE: RegistrySettings['models'] = { small: { provider: 'embedded' } };

export function costOf(entry: ModelEntry, promptTokens: number, generatedTokens: number): number {
  const { input, output } = ('price' in entry && entry.price) || { input: 0, output: 0 };
  return (promptTokens * input + generatedTokens * output) / 1_000_000;
}
