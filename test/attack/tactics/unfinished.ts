import { endpoints } from '../../../src/protocol/routes.ts';
import { headOf, sendRaw } from '../raw.ts';
import type { Tactic } from '../tactic.ts';

const OTHERS = 6;
const PIECE = '{"name":"a.txt","base64":"QUFB"}\n';
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Bodies that are never finished: what was announced, and what comes of it. */
const BODIES: readonly (readonly [announced: string, sent: string])[] = [
  ['Content-Length: 100000', ''],
  ['Content-Length: 100000', PIECE.slice(0, 20)],
  ['Content-Length: 100000', 'not what it should be\n'],
  ['Content-Length: 100000000', 'not what it should be\n'],
  ['Transfer-Encoding: chunked', chunked(PIECE)],
  ['Transfer-Encoding: chunked', chunked('not what it should be\n')],
  ['Transfer-Encoding: chunked', 'ffff\r\n{"heddle":"export"'],
  ['Transfer-Encoding: chunked', 'zz\r\n\r\n'],
];

/** The connection is closed, reset, or held open for a while. */
const CUTS = ['end', 'reset', undefined] as const;

/** Bodies that break off, or are held open: at every upload, and at some of the addresses that take JSON. */
export const unfinished: Tactic = {
  name: 'unfinished',
  rules: '[L15] [I18]',
  async run({ house, random, scale, intruder }) {
    const mallory = await intruder();
    const { token: human } = await house.server();
    const uploads = endpoints.filter(({ upload }) => upload);
    const bodies = endpoints.filter(({ body }) => body);
    const some = Array.from({ length: OTHERS * scale }, () => random.pick(bodies));
    for (const { method, path, upload, access } of [...uploads, ...some]) {
      const place = path.replace(':thread', house.places.hall).replace(/:\w+/g, 'x');
      const headers = [
        `Authorization: Bearer ${access === 'human' ? human : mallory.token}`,
        `Content-Type: ${upload ?? 'application/json'}`,
      ];
      for (const [announced, sent] of BODIES) {
        for (const cut of upload ? CUTS : [random.pick(CUTS)])
          await sendRaw(house, [await headOf(house, method, place, [...headers, announced]), sent], { cut, ms: 300 });
      }
    }
  },
};
