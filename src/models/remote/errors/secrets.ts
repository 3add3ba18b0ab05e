import type { RemoteOptions } from '../options.ts';

const DROPPED_HEADERS = /^(authorization|proxy-.*|x-api-key|api-key|cookie|set-cookie2?)$/i;
const REMOVED = '[removed]';
/** Shorter keys are words such as "none", which local servers accept, and would match everywhere. */
const MIN_SECRET_LENGTH = 6;

/** Removes every secret used in a call from a text. */
export function createRedactor({ apiKey = '', baseUrl }: RemoteOptions): (text: string) => string {
  const secrets = [apiKey, ...secretsInUrl(baseUrl)]
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !DROPPED_HEADERS.test(name))
      .map(([name, value]) => [name, redact(value)]),
  );
}

function secretsInUrl(baseUrl: string | undefined): readonly string[] {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return [];
  const { password, searchParams } = new URL(baseUrl);
  return [password, ...searchParams.values()];
}
