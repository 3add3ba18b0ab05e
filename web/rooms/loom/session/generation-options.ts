/** How the page asks for continuations: the user's own wishes over the loom's settings. */
export interface GenerationOptions {
  /** The models that write, in turn; without any, the loom's usual model does. */
  readonly models?: readonly string[];
  readonly n?: number;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/** One request to one model. */
export interface GenerationRequest extends Omit<GenerationOptions, 'models'> {
  readonly model?: string;
  readonly fill?: true;
}

/** Divides the continuations among the models: of three by two models, the first writes two. */
export function requestsFor({ models = [], ...options }: GenerationOptions, usualCount: number): GenerationRequest[] {
  if (models.length < 2) return [{ ...options, ...(models[0] !== undefined && { model: models[0] }) }];
  const count = options.n ?? usualCount;
  const writers = models.slice(0, Math.max(1, count));
  return writers.map((model, index) => ({
    ...options,
    model,
    n: Math.floor(count / writers.length) + (index < count % writers.length ? 1 : 0),
  }));
}

/** Options that an earlier version of the page kept, with a single model. */
export function readOptions(stored: (GenerationOptions & { readonly model?: string }) | undefined): GenerationOptions {
  const { model, ...options } = stored ?? {};
  return model === undefined ? options : { ...options, models: [model] };
}
