import type { RemoteOptions } from '../options.ts';

const SECRET_NAME = /auth|key|token|secret|cookie|password|session/i;
const NEVER_KEPT = /^(authorization|proxy-.*|x-api-key|api-key|cookie|set-cookie2?)$/i;
const REMOVED = '[removed]';
/** Shorter ones are words such as "none", which local servers are happy with, and would be found everywhere. */
const SHORTEST = 6;

/** Takes everything secret that a call was made with out of a text. */
export function createRedaction({ apiKey, baseUrl, headers = {} }: RemoteOptions): (text: string) => string {
  const inHeaders = Object.entries(headers).filter(([name]) => SECRET_NAME.test(name));
  const secrets = [apiKey, ...inHeaders.map(([, value]) => value), ...inUrl(baseUrl)]
    .flatMap((value) => [value ?? '', value?.replace(/^(Bearer|Basic) /i, '') ?? ''])
    .filter((value) => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !NEVER_KEPT.test(name))
      .map(([name, value]) => [name, redact(value)]),
  );
}

function inUrl(baseUrl: string | undefined): readonly string[] {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return [];
  const { password, searchParams } = new URL(baseUrl);
  return [password, ...searchParams.values()];
}
