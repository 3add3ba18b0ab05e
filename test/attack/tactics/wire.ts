import { HUMAN } from '../house.ts';
import { headOf, sendRaw, statusIn } from '../raw.ts';
import type { Tactic } from '../tactic.ts';

/** Requests no client of ours would write: headers twice, lengths that lie, bodies that are no JSON. */
export const wire: Tactic = {
  name: 'wire',
  rules: '[I5] [I17]',
  async run({ house, intruder, find }) {
    const mallory = await intruder();
    const { host } = new URL((await house.server()).url);
    const bearer = `Authorization: Bearer ${mallory.token}`;
    const json = 'Content-Type: application/json';
    const post = `/api/threads/${house.places.hall}/events`;
    const body = '{"type":"message","content":"x"}';
    const length = `Content-Length: ${body.length}`;
    const at = (method: string, path: string, ...headers: string[]) =>
      headOf(house, method, path, [bearer, ...headers]);
    const deep = '['.repeat(500_000);
    const raw: readonly (readonly [what: string, parts: readonly (string | Buffer)[], allowed: boolean])[] = [
      ['two hosts', [await at('GET', '/api/me', 'Host: evil.example')], false],
      [
        'two hosts, ours second',
        [`GET /api/me HTTP/1.1\r\nHost: evil.example\r\nHost: ${host}\r\n${bearer}\r\n\r\n`],
        false,
      ],
      ['another host', [`GET /api/me HTTP/1.1\r\nHost: evil.example\r\n${bearer}\r\n\r\n`], false],
      ['an absolute address', [`GET http://evil.example/api/me HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n\r\n`], true],
      ['two origins', [await at('GET', '/api/me', 'Origin: http://evil.example', `Origin: http://${host}`)], false],
      ['two tokens', [await at('GET', '/api/me', 'Authorization: Bearer hdl_x')], true],
      ['two lengths', [await at('POST', post, json, length, 'Content-Length: 5'), body], false],
      [
        'a length and chunks',
        [await at('POST', post, json, length, 'Transfer-Encoding: chunked'), `5\r\n${body}`],
        false,
      ],
      ['a negative length', [await at('POST', post, json, 'Content-Length: -1'), body], false],
      ['a length that is too short', [await at('POST', post, json, 'Content-Length: 3'), body], false],
      ['a content type that lies', [await at('POST', post, 'Content-Type: text/plain', length), body], false],
      ['two content types', [await at('POST', post, 'Content-Type: text/plain', json, length), body], false],
      [
        'bytes that are no UTF-8',
        [await at('POST', post, json, 'Content-Length: 4'), Buffer.from([0x22, 0xff, 0xfe, 0x22])],
        false,
      ],
      [
        'half a character',
        [await at('POST', post, json, 'Content-Length: 37'), '{"type":"message","content":"\\ud800x"}'],
        false,
      ],
      ['deep JSON', [await at('POST', post, json, `Content-Length: ${deep.length}`), deep], false],
      ['nothing as JSON', [await at('POST', post, json, 'Content-Length: 0')], false],
      ['headers without end', [`GET /api/me HTTP/1.1\r\nHost: ${host}\r\n${'X-A: b\r\n'.repeat(5_000)}\r\n`], false],
      ['a path of many dots', [await at('GET', '/%2e%2e/%2e%2e/token')], true],
      ['a path that cannot be decoded', [await at('GET', '/api/threads/%ff%zz/state')], false],
      ['a path with an end of line', [await at('GET', '/api/threads/%0d%0aX:1/state')], false],
      ['a very long path', [await at('GET', `/api/threads/${'a'.repeat(10_000)}/state`)], false],
      ['a method of its own', [await at('PROPFIND', '/api/me')], false],
      ['an upgrade', [await at('GET', '/api/stream', 'Upgrade: websocket', 'Connection: Upgrade')], true],
      ['an expectation', [await at('POST', post, json, length, 'Expect: 200-maybe'), body], false],
      ['two requests at once', [(await at('GET', '/api/me')) + (await at('GET', '/healthz'))], true],
      ['no HTTP at all', ['\u0000\u0001\u0002\r\n\r\n'], false],
    ];
    for (const [what, parts, allowed] of raw) {
      const answer = await sendRaw(house, parts, { ms: 1_500 });
      const status = statusIn(answer);
      if (status >= 500) find(`a request with ${what} was answered ${status}`, answer.slice(0, 300));
      if (!allowed && status >= 200 && status < 300) find(`a request with ${what} is accepted`, answer.slice(0, 300));
    }
    await mustKeepSignInLink(find);

    /** A program that looks at links before a person does must not use them up. */
    async function mustKeepSignInLink(report: typeof find) {
      const { url } = await (await house.as(HUMAN)).signInLink();
      const path = url.slice(url.indexOf('/signin'));
      for (const method of ['HEAD', 'GET']) await sendRaw(house, [await headOf(house, method, path, [])]);
      const answer = await sendRaw(house, [await headOf(house, 'POST', path, ['Content-Length: 0'])]);
      if (statusIn(answer) !== 200) report('looking at a sign-in link uses it up', answer.slice(0, 200));
    }
  },
};
