import { type Kernel, openKernel } from '../kernel/kernel.ts';
import { type Matrix, matrixAt, matrixBytes } from '../kernel/matrix.ts';
import { LARGEST_8, LARGEST_16, quantise } from '../kernel/numbers.ts';
import { putRow, TILE_ROWS } from '../kernel/tiles.ts';
import { type Checkpoint, type ModelShape, openCheckpoint } from './checkpoint.ts';

export interface TransformerLayer {
  readonly attentionNorm: Float64Array;
  /** Queries, keys and values, one below the other. */
  readonly attentionIn: Matrix;
  readonly attentionOut: Matrix;
  readonly hiddenNorm: Float64Array;
  /** Gate and content, one below the other. */
  readonly hiddenIn: Matrix;
  readonly hiddenOut: Matrix;
}

/** What each token means going in and, being the same numbers, how likely it is coming out. */
export interface TokenRows {
  readonly exact: Int16Array;
  readonly exactUnits: Float64Array;
  /** The tokens that training met. All others were left with one and the same row, give or take a thousandth. */
  readonly trained: Int32Array;
  /** One of those others, standing for all of them. */
  readonly untrained: number;
  /** The rows of `trained` once more by 8 bits in the kernel's memory: enough to find the likely ones, and less to read. */
  readonly roughAt: number;
  readonly roughUnits: Float64Array;
}

export interface TransformerWeights {
  readonly shape: ModelShape;
  readonly kernel: Kernel;
  readonly tokens: TokenRows;
  readonly layers: readonly TransformerLayer[];
  readonly lastNorm: Float64Array;
  /** Cosine and sine of every position, half a head wide. */
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
  /** From here on the kernel's memory is free to work in. */
  readonly freeAt: number;
}

export interface LoadedCheckpoint {
  readonly weights: TransformerWeights;
  /** The tokenizer's part of the file. */
  readonly tokenizer: Buffer;
}

/** Rows more alike than this are the same row. */
const SAME_ROW_COSINE = 0.9999;

/** Reads a model file into a kernel's memory, with `workingBytes` bytes more. */
export function loadWeights(
  path: string,
  workingBytes: (shape: ModelShape) => number,
  preferredKernel?: Kernel['name'],
): LoadedCheckpoint {
  const file = openCheckpoint(path);
  const { shape } = file;
  const { width, hidden } = shape;
  const tokens = readTokens(file);
  const roughBytes = tokens.roughUnits.length * width;
  const layerBytes = 4 * matrixBytes(width, width) + 3 * matrixBytes(width, hidden);
  const kernel = openKernel(roughBytes + shape.layers * layerBytes + workingBytes(shape), preferredKernel);
  writeRough(tokens, width, kernel.buffer);

  let freeAt = roughBytes;
  const allocateMatrix = (rows: number, columns: number) => {
    freeAt += matrixBytes(rows, columns);
    return matrixAt(kernel, freeAt - matrixBytes(rows, columns), rows, columns);
  };
  const layers: TransformerLayer[] = Array.from({ length: shape.layers }, () => ({
    attentionNorm: new Float64Array(width),
    attentionIn: allocateMatrix(3 * width, width),
    attentionOut: allocateMatrix(width, width),
    hiddenNorm: new Float64Array(width),
    hiddenIn: allocateMatrix(2 * hidden, width),
    hiddenOut: allocateMatrix(width, hidden),
  }));

  // The file has one kind of weights for all layers before the next kind.
  for (const layer of layers) layer.attentionNorm.set(file.floats(width));
  for (const first of [0, width, 2 * width]) {
    for (const layer of layers) readRows(file, layer.attentionIn, first, width);
  }
  for (const layer of layers) readRows(file, layer.attentionOut, 0, width);
  for (const layer of layers) layer.hiddenNorm.set(file.floats(width));
  for (const layer of layers) readRows(file, layer.hiddenIn, 0, hidden);
  for (const layer of layers) readRows(file, layer.hiddenOut, 0, width);
  for (const layer of layers) readRows(file, layer.hiddenIn, hidden, hidden);
  const lastNorm = Float64Array.from(file.floats(width));
  const angles = (shape.context * shape.headWidth) / 2;
  const cosines = file.floats(angles).slice();
  const sines = file.floats(angles).slice();
  const tokenizer = file.rest();
  file.close();
  return { weights: { shape, kernel, tokens, layers, lastNorm, cosines, sines, freeAt }, tokenizer };
}

function readRows(file: Checkpoint, matrix: Matrix, first: number, count: number): void {
  for (let row = first; row < first + count; row++) matrix.put(row, file.floats(matrix.columns));
}

function readTokens(file: Checkpoint): TokenRows {
  const { vocabulary, width } = file.shape;
  const exact = new Int16Array(vocabulary * width);
  const exactUnits = new Float64Array(vocabulary);
  const rowOf = (token: number) => exact.subarray(token * width, (token + 1) * width);
  for (let token = 0; token < vocabulary; token++) {
    exactUnits[token] = quantise(file.floats(width), 0, rowOf(token), LARGEST_16);
  }
  // Tokens are sorted by how usual they are: if any was never met, it is the last.
  const untrained = vocabulary - 1;
  const isUntrained = (token: number) => cosine(rowOf(token), rowOf(untrained)) > SAME_ROW_COSINE;
  const trained = Int32Array.from({ length: vocabulary }, (_, token) => token).filter((token) => !isUntrained(token));
  return { exact, exactUnits, trained, untrained, roughAt: 0, roughUnits: new Float64Array(roughRows(trained.length)) };
}

function writeRough(
  { exact, exactUnits, trained, roughAt, roughUnits }: TokenRows,
  width: number,
  buffer: ArrayBuffer,
) {
  const rough = new Int8Array(buffer, roughAt, roughUnits.length * width);
  const integers = new Int8Array(width);
  trained.forEach((token, row) => {
    const values = Float64Array.from(exact.subarray(token * width, (token + 1) * width));
    roughUnits[row] = quantise(values, 0, integers, LARGEST_8) * exactUnits[token]!;
    putRow(rough, 0, row, width, integers);
  });
}

function cosine(a: Int16Array, b: Int16Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return ab / Math.sqrt(aa * bb);
}

function roughRows(tokens: number): number {
  return Math.ceil(tokens / TILE_ROWS) * TILE_ROWS;
}
