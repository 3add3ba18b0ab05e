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

/** The input embedding of each token and, with the same numbers, its output weights. */
export interface TokenRows {
  readonly exact: Int16Array;
  readonly exactUnits: Float64Array;
  /** The tokens that occurred in training. All others have practically the same row, within a thousandth. */
  readonly trained: Int32Array;
  /** One of the other tokens, which represents all of them. */
  readonly untrained: number;
  /**
   * An 8-bit copy of the rows of `trained` in the kernel's memory: enough to find the likely ones, with less to read.
   */
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
  /** The kernel's memory is free from this offset on. */
  readonly freeAt: number;
}

export interface LoadedCheckpoint {
  readonly weights: TransformerWeights;
  /** The tokenizer's part of the file. */
  readonly tokenizer: Buffer;
}

/** Rows with a higher cosine than this count as the same row. */
const SAME_ROW_COSINE = 0.9999;

/** Reads a model file into a kernel's memory, with `workingBytes` additional bytes. */
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

  // The file has each kind of weights for all layers, followed by the next kind.
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
  // Tokens are sorted by frequency: if any never occurred in training, it is the last.
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
