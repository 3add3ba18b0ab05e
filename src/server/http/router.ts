export interface RouteMatch<T> {
  readonly value: T;
  readonly params: Record<string, string>;
}

interface MountedRoute<T> {
  readonly segments: readonly string[];
  readonly value: T;
}

/** Finds the handler of a path. Paths are short and few, so comparing them one by one is enough. */
export function createRouter<T>() {
  const routesByKey = new Map<string, MountedRoute<T>[]>();

  /** `path` may contain parameters: `/api/threads/:thread`. */
  function mount(method: string, path: string, value: T) {
    const segments = path.split('/');
    const key = `${method} ${segments.length}`;
    const routes = routesByKey.get(key);
    if (routes) routes.push({ segments, value });
    else routesByKey.set(key, [{ segments, value }]);
  }

  function match(method: string, path: string): RouteMatch<T> | undefined {
    const segments = path.split('/');
    for (const { segments: pattern, value } of routesByKey.get(`${method} ${segments.length}`) ?? []) {
      const params = matchSegments(pattern, segments);
      if (params) return { value, params };
    }
    return undefined;
  }

  /** Everything mounted, as "METHOD /path". */
  function mountedRoutes(): readonly string[] {
    return [...routesByKey].flatMap(([key, routes]) =>
      routes.map(({ segments }) => `${key.split(' ')[0]} ${segments.join('/')}`),
    );
  }

  function methodsAt(path: string): readonly string[] {
    const methods = new Set([...routesByKey.keys()].map((key) => key.split(' ')[0] as string));
    return [...methods].filter((method) => match(method, path));
  }

  return { mount, match, methodsAt, mountedRoutes };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    const expected = pattern[i] as string;
    const actual = segments[i] as string;
    if (expected.charCodeAt(0) === 58 /* : */ && actual !== '') params[expected.slice(1)] = decodeSegment(actual);
    else if (expected !== actual) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
