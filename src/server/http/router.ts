export interface Match<T> {
  readonly value: T;
  readonly params: Record<string, string>;
}

interface Entry<T> {
  readonly segments: readonly string[];
  readonly value: T;
}

/** Finds what is mounted at an address. Addresses are short and few, so comparing them is enough. */
export function createRouter<T>() {
  const entries = new Map<string, Entry<T>[]>();

  /** `path` may have names in it: `/api/threads/:thread`. */
  function mount(method: string, path: string, value: T) {
    const segments = path.split('/');
    const key = `${method} ${segments.length}`;
    const alike = entries.get(key);
    if (alike) alike.push({ segments, value });
    else entries.set(key, [{ segments, value }]);
  }

  function match(method: string, path: string): Match<T> | undefined {
    const segments = path.split('/');
    for (const { segments: wanted, value } of entries.get(`${method} ${segments.length}`) ?? []) {
      const params = compare(wanted, segments);
      if (params) return { value, params };
    }
    return undefined;
  }

  /** Everything mounted, as "METHOD /path". */
  function mounted(): readonly string[] {
    return [...entries].flatMap(([key, alike]) =>
      alike.map(({ segments }) => `${key.split(' ')[0]} ${segments.join('/')}`),
    );
  }

  return { mount, match, mounted };
}

function compare(wanted: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (let i = 0; i < wanted.length; i++) {
    const want = wanted[i] as string;
    const got = given[i] as string;
    if (want.charCodeAt(0) === 58 /* : */ && got !== '') params[want.slice(1)] = decoded(got);
    else if (want !== got) return undefined;
  }
  return params;
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
