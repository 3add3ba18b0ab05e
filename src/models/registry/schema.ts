import { z } from 'zod';
import { largerModelNames } from '../builtin/larger/pinned.ts';

/** Uses that a default model can be set for. */
export const modelRoles = ['mind', 'auditor', 'loom'] as const;
export type ModelRole = (typeof modelRoles)[number];

const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A name is short, or in capitals with underscores; a long value with digits anywhere is a key itself. */
const KEY_PATTERN =
  /^(sk|pk|hdl|ghp|xai|gsk|AIza)[-_A-Za-z0-9]{8,}$|^(?=.*[a-z])(?=.*\d)[A-Za-z0-9_-]{20,}$|^(?=.*\d)([A-Z0-9]{16,}|[a-f0-9]{16,})$/;
/** For fields that allow any word: matches only known key prefixes. */
const KEY_PREFIX_PATTERN = /^((sk|pk|ghp|xai|gsk|hdl)[-_](?=.*\d)|AIza)[-_A-Za-z0-9]{16,}$/;
const KEY_ADVICE =
  'Keys stay out of files: put it in an environment variable and write the name of that variable in "api_key_env"';
const KEY_IN_FILE_MESSAGE = `looks like a key itself. ${KEY_ADVICE}`;

const isKeyFree = (value: string) => !KEY_PREFIX_PATTERN.test(value);
export const looksLikeKey = (value: string) => KEY_PATTERN.test(value);

const SECRET_FIELD = /^(api_?)?(key|token|secret|password|authorization)$/i;

const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'a name is 1 to 64 letters, digits, ".", "_" or "-"');
/**
 * A newly entered name: a key in its place is refused without being repeated, which an error about a file's line
 * would do.
 */
export const newNameSchema = nameSchema.refine(isKeyFree, `this looks like a key, not a name. ${KEY_ADVICE}`);

const keyNameSchema = z.string().superRefine((value, context) => {
  if (looksLikeKey(value)) context.addIssue({ code: 'custom', message: KEY_IN_FILE_MESSAGE });
  else if (!ENVIRONMENT_NAME.test(value))
    context.addIssue({ code: 'custom', message: 'must be the name of an environment variable, such as MY_KEY' });
});

const urlSchema = z.string().superRefine((value, context) => {
  const addIssue = (message: string) => context.addIssue({ code: 'custom', message });
  // The URL parser silently removes line ends and tabs.
  const isPlain = value.length <= 2000 && !/[\s\p{Cc}]/u.test(value) && URL.canParse(value);
  if (!isPlain || !/^https?:$/.test(new URL(value).protocol))
    return addIssue('must be an address that begins with http:// or https://');
  const { username, password, search } = new URL(value);
  if (username !== '' || password !== '' || /key|token|secret/i.test(search))
    addIssue('has a secret in it. Put it in an environment variable and name that in "api_key_env"');
});

const pricePerMillion = z.number().nonnegative().max(1_000_000);
const priceSchema = z.strictObject({ input: pricePerMillion, output: pricePerMillion });
const contextSchema = z.number().int().min(16).max(100_000_000);
/** A server's abilities cannot be discovered by asking, so the settings state them if they differ from the default. */
const abilityFields = {
  n: z.number().int().min(1).max(128),
  logprobs: z.number().int().min(0).max(20),
  fill_in_the_middle: z.boolean(),
  images: z.boolean(),
};
/** In seconds. */
const secondsSchema = z.number().positive().max(86_400).exactOptional();
const RESERVED_FIELDS = ['model', 'messages', 'prompt', 'suffix', 'system', 'stream'];
/** Additional fields of every request, passed on unchanged. */
const extraSchema = z.record(z.string().min(1).max(100), z.json()).superRefine((fields, issues) => {
  const addIssue = (path: readonly string[], message: string) =>
    issues.addIssue({ code: 'custom', path: [...path], message });
  for (const [field, value] of Object.entries(fields)) {
    if (RESERVED_FIELDS.includes(field)) addIssue([field], 'is set by Heddle itself');
    else if (SECRET_FIELD.test(field) || !isKeyFree(typeof value === 'string' ? value : ''))
      addIssue([field], KEY_IN_FILE_MESSAGE);
  }
});
const remoteFields = {
  /** Defaults to the provider's own URL. */
  base_url: urlSchema.exactOptional(),
  model: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}+$/u, 'must be one line')
    .refine(isKeyFree, KEY_IN_FILE_MESSAGE),
  api_key_env: keyNameSchema.exactOptional(),
  context: contextSchema.exactOptional(),
  price: priceSchema.exactOptional(),
  extra: extraSchema.exactOptional(),
  timeouts: z
    .strictObject({ connect: secondsSchema, first_token: secondsSchema, idle: secondsSchema, total: secondsSchema })
    .exactOptional(),
};
const choiceFields = { n: abilityFields.n.exactOptional(), logprobs: abilityFields.logprobs.exactOptional() };

const providerSchema = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('openai-completions'),
    ...remoteFields,
    ...choiceFields,
    fill_in_the_middle: abilityFields.fill_in_the_middle.exactOptional(),
  }),
  z.strictObject({
    provider: z.literal('openai-chat'),
    ...remoteFields,
    ...choiceFields,
    images: abilityFields.images.exactOptional(),
  }),
  z.strictObject({ provider: z.literal('anthropic'), ...remoteFields, images: abilityFields.images.exactOptional() }),
  z.strictObject({ provider: z.literal('embedded'), model: z.enum(['small']).exactOptional() }),
  z.strictObject({ provider: z.literal('local'), model: z.enum(largerModelNames) }),
  z.strictObject({
    provider: z.literal('scripted'),
    path: z.string().min(1).max(1000),
    price: priceSchema.exactOptional(),
  }),
]);

/** Refuses a key in a file before any other check, and never repeats it. */
const keylessSchema = z.unknown().superRefine((value, issues) => {
  if (typeof value !== 'object' || value === null) return;
  const secretField = Object.keys(value).find((field) => SECRET_FIELD.test(field));
  if (secretField !== undefined)
    issues.addIssue({
      code: 'custom',
      path: [secretField],
      message:
        'would store a key in a file. Put the key in an environment variable and write the name of that variable in "api_key_env"',
    });
});

const modelEntrySchema = keylessSchema.pipe(providerSchema);

/** A server, without saying which of its models. */
export const remoteServerSchema = z.strictObject({
  provider: z.enum(['openai-chat', 'openai-completions', 'anthropic']),
  base_url: remoteFields.base_url,
  api_key_env: remoteFields.api_key_env,
});
export type RemoteServer = z.infer<typeof remoteServerSchema>;

const commandSchema = z.array(z.string().min(1)).min(1).readonly();
const permissionSchema = z.string().min(1).max(64).exactOptional();
const modelNameSchema = z.string().min(1).max(128).exactOptional();
const pathsSchema = z
  .array(
    z
      .string()
      .max(1000)
      .regex(/^(\/|~\/|[A-Za-z]:\\)/, 'a path is absolute, or begins with "~/"'),
  )
  .max(64)
  .readonly()
  .exactOptional();
const clientFields = {
  permission: permissionSchema,
  model: modelNameSchema,
  /** Names of environment variables it may see in addition to those it always needs. */
  environment: z.array(keyNameSchema).max(64).readonly().exactOptional(),
  /** Paths it may read or change in a sandbox, in addition to its own. */
  readable: pathsSchema,
  writable: pathsSchema,
  /** The time limit for an answer. */
  seconds: z.number().positive().max(86_400).exactOptional(),
};
const clientSchema = z.discriminatedUnion('adapter', [
  z.strictObject({
    adapter: z.enum(['claude', 'codex', 'gemini']),
    command: commandSchema.exactOptional(),
    ...clientFields,
  }),
  z.strictObject({ adapter: z.enum(['acp', 'command']), command: commandSchema, ...clientFields }),
]);
const clientEntrySchema = keylessSchema.pipe(clientSchema);

export const limitSchema = z.strictObject({
  tokens: z.number().int().positive().exactOptional(),
  money: z.number().positive().exactOptional(),
});

/** An ISO 4217 code. */
const currencySchema = z.string().superRefine((code, context) => {
  if (Intl.supportedValuesOf('currency').includes(code)) return;
  const upper = code.toUpperCase();
  const hint = Intl.supportedValuesOf('currency').includes(upper)
    ? `. Did you mean "${upper}"?`
    : ', such as USD or EUR';
  context.addIssue({ code: 'custom', message: `must be the code of a currency${hint}` });
});

/** The part of heddle.yaml that is about models (C5). */
export const registryFields = {
  models: z.record(nameSchema, modelEntrySchema).default({}),
  clients: z.record(nameSchema, clientEntrySchema).default({}),
  defaults: z.strictObject({ mind: nameSchema, auditor: nameSchema, loom: nameSchema }).partial().default({}),
  /** Limits for the workspace as a whole, and for a thread or run that has none of its own. */
  budgets: z.strictObject({ workspace: limitSchema, thread: limitSchema, run: limitSchema }).partial().default({}),
  /** The currency of prices and budgets. */
  currency: currencySchema.exactOptional(),
};

/** Whether programs run in a sandbox: if one is available, never, or always (they do not run without one). */
export const sandboxModes = ['auto', 'off', 'required'] as const;
export type SandboxMode = (typeof sandboxModes)[number];

export type ModelProvider = ModelEntry['provider'];
export type ModelEntry = z.infer<typeof providerSchema>;
export type ClientEntry = Readonly<z.infer<typeof clientSchema>>;
export type SpendingLimit = z.infer<typeof limitSchema>;
export type Budgets = Readonly<z.infer<typeof registryFields.budgets>>;
export interface RegistrySettings {
  readonly models: Readonly<Record<string, ModelEntry>>;
  readonly clients: Readonly<Record<string, ClientEntry>>;
  readonly defaults: Readonly<z.infer<typeof registryFields.defaults>>;
  readonly budgets: Budgets;
  readonly currency?: string;
  readonly sandbox?: SandboxMode;
  /** The models in the workspace's own file, where they can be changed. */
  readonly written?: readonly string[];
}

/** The models available if no file names any. */
export const BUILTIN_MODELS: RegistrySettings['models'] = { small: { provider: 'embedded' } };

export function costOf(entry: ModelEntry, promptTokens: number, generatedTokens: number): number {
  const { input, output } = ('price' in entry && entry.price) || { input: 0, output: 0 };
  return (promptTokens * input + generatedTokens * output) / 1_000_000;
}
