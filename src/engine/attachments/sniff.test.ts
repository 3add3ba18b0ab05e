import { expect, test } from 'vitest';
import { HTML_WITH_SCRIPT, pngOf, SVG_WITH_SCRIPT } from '../../../test/support/texts/files.ts';
import { sniffFile } from './sniff.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');

test.each([
  ['a PNG', pngOf(31, 17), { type: 'image/png', width: 31, height: 17 }],
  ['a GIF', latin1('GIF89a\x05\x00\x07\x00\x80\x00\x00'), { type: 'image/gif', width: 5, height: 7 }],
  [
    'a JPEG whose frame follows other segments',
    hex('ffd8 ffe0 0010 4a46494600 0101 0000 0100 0100 00 ffc0 0011 08 0020 0030 03 011100 021101 031101'),
    { type: 'image/jpeg', width: 48, height: 32 },
  ],
  [
    'a WebP',
    Buffer.concat([
      latin1('RIFF\x1a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00'),
      hex('630000 c70000'),
      hex('0000'),
    ]),
    { type: 'image/webp', width: 100, height: 200 },
  ],
  [
    'an AVIF',
    Buffer.concat([
      latin1('\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf'),
      latin1('\x00\x00\x00\x14ispe\x00\x00\x00\x00'),
      hex('00000140 000000f0'),
      Buffer.alloc(16),
    ]),
    { type: 'image/avif', width: 320, height: 240 },
  ],
  ['a PDF', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3'), { type: 'application/pdf' }],
  ['a ZIP', latin1('PK\x03\x04 and so on'), { type: 'application/zip' }],
  ['text', Buffer.from('naïve\tcafé\r\n'), { type: 'text/plain' }],
  ['an empty file', Buffer.alloc(0), { type: 'text/plain' }],
  ['an SVG, which can hold scripts', Buffer.from(SVG_WITH_SCRIPT), { type: 'text/plain' }],
  ['HTML', Buffer.from(HTML_WITH_SCRIPT), { type: 'text/plain' }],
  ['bytes that are no UTF-8', hex('41fffe42'), { type: 'application/octet-stream' }],
  ['bytes with a NUL', Buffer.from('a\0b'), { type: 'application/octet-stream' }],
])('[I27] %s is known by its bytes', (_, bytes, facts) => {
  expect(sniffFile(bytes)).toEqual(facts);
});

test('[I27] an image that was cut off anywhere is still an image or no image, never an error', () => {
  const images = [pngOf(3, 3), hex('ffd8ffe000104a46494600010100000100010000ffc00011080020003003011100')];
  for (const image of images)
    for (let end = 0; end <= image.length; end++) expect(() => sniffFile(image.subarray(0, end))).not.toThrow();
});

test('[I27] absurd dimensions are left out', () => {
  const image = Buffer.from(pngOf(1, 1));
  image.writeUInt32BE(0xffffffff, 16);
  expect(sniffFile(image)).toEqual({ type: 'image/png' });
});
