import { readFileSync } from 'node:fs';
import { type Kernel, openKernel } from '../kernel/kernel.ts';
import { LARGEST_16 } from '../kernel/numbers.ts';
import { putRow } from '../kernel/tiles.ts';
import { readTensors, type Tensors } from './onnx.ts';

export const WIDTH = 384;
export const HIDDEN = 1536;
export const HEADS = 12;
const LAYERS = 6;
/** The number of position embeddings; the model was trained with texts of up to half as many tokens. */
const POSITIONS = 512;

/** Rows of integers in the kernel's memory, and in the same memory the unit and the bias of each row. */
export interface EncoderMatrix {
  readonly at: number;
  readonly rows: number;
  readonly columns: number;
  readonly unitsAt: number;
  readonly biasAt: number;
  /** The largest integers in a vector for which no sum overflows. */
  readonly largest: number;
}

export interface EncoderNorm {
  readonly gain: Float64Array;
  readonly bias: Float64Array;
}

export interface EncoderLayer {
  readonly query: EncoderMatrix;
  readonly key: EncoderMatrix;
  readonly value: EncoderMatrix;
  readonly attentionOut: EncoderMatrix;
  readonly attentionNorm: EncoderNorm;
  readonly hiddenIn: EncoderMatrix;
  readonly hiddenOut: EncoderMatrix;
  readonly hiddenNorm: EncoderNorm;
}

export interface EncoderWeights {
  readonly kernel: Kernel;
  readonly layers: readonly EncoderLayer[];
  readonly norm: EncoderNorm;
  /** Writes the initial vector of a token at a position. */
  embed(token: number, position: number, into: Float32Array, at: number): void;
  readonly freeAt: number;
}

export function loadEncoderWeights(
  path: string,
  workingBytes: number,
  preferredKernel?: Kernel['name'],
): EncoderWeights {
  const tensors = readTensors(readFileSync(path));
  const layerBytes = 4 * matrixBytes(WIDTH, WIDTH) + matrixBytes(WIDTH, HIDDEN) + matrixBytes(HIDDEN, WIDTH);
  const kernel = openKernel(LAYERS * layerBytes + workingBytes, preferredKernel);
  // Matrices are named by numbers; the file has them in the order in which they are applied.
  const names = tensors.names.filter((name) => /^onnx::MatMul_\d+_quantized$/.test(name));
  let freeAt = 0;
  const nextMatrix = (bias: string): EncoderMatrix => {
    const name = (names.shift() ?? '').replace(/_quantized$/, '');
    const matrix = readMatrix(tensors, name, bias, kernel, freeAt);
    freeAt += matrixBytes(matrix.rows, matrix.columns);
    return matrix;
  };
  const layers = Array.from({ length: LAYERS }, (_, depth): EncoderLayer => {
    const tensorName = (part: string) => `encoder.layer.${depth}.${part}`;
    return {
      query: nextMatrix(tensorName('attention.self.query.bias')),
      key: nextMatrix(tensorName('attention.self.key.bias')),
      value: nextMatrix(tensorName('attention.self.value.bias')),
      attentionOut: nextMatrix(tensorName('attention.output.dense.bias')),
      attentionNorm: readNorm(tensors, tensorName('attention.output.LayerNorm')),
      hiddenIn: nextMatrix(tensorName('intermediate.dense.bias')),
      hiddenOut: nextMatrix(tensorName('output.dense.bias')),
      hiddenNorm: readNorm(tensors, tensorName('output.LayerNorm')),
    };
  });
  const norm = readNorm(tensors, 'embeddings.LayerNorm');
  return { kernel, layers, norm, embed: readEmbeddings(tensors), freeAt };
}

function matrixBytes(rows: number, columns: number): number {
  return 2 * rows * columns + 2 * 4 * rows;
}

/** The file stores 8-bit integers by column, each column with its unit; this converts them to rows. */
function readMatrix(tensors: Tensors, name: string, biasName: string, { buffer }: Kernel, at: number): EncoderMatrix {
  const bytes = asSigned(tensors.bytes(`${name}_quantized`));
  const units = tensors.floats(`${name}_scale`);
  const bias = tensors.floats(biasName);
  const rows = units.length;
  const columns = bytes.length / rows;
  if (bias.length !== rows || tensors.bytes(`${name}_zero_point`).some((zero) => zero !== 0)) {
    throw new Error(`The matrix ${name} is not of the kind this embedder knows.`);
  }
  const into = new Int16Array(buffer, at, rows * columns);
  const integers = new Int16Array(columns);
  let longest = 1;
  for (let row = 0; row < rows; row++) {
    let squares = 0;
    for (let column = 0; column < columns; column++) {
      const integer = bytes[column * rows + row]!;
      integers[column] = integer;
      squares += integer * integer;
    }
    putRow(into, 0, row, columns, integers);
    longest = Math.max(longest, Math.sqrt(squares));
  }
  const unitsAt = at + 2 * rows * columns;
  const biasAt = unitsAt + 4 * rows;
  new Float32Array(buffer, unitsAt, rows).set(units);
  new Float32Array(buffer, biasAt, rows).set(bias);
  // By Cauchy and Schwarz, for a vector whose numbers all have this size.
  const largest = Math.min(LARGEST_16, Math.floor((2 ** 31 - 1) / (longest * Math.sqrt(columns))));
  return { at, rows, columns, unitsAt, biasAt, largest };
}

function asSigned({ buffer, byteOffset, length }: Buffer): Int8Array {
  return new Int8Array(buffer, byteOffset, length);
}

function readNorm(tensors: Tensors, name: string): EncoderNorm {
  const readPart = (part: string) => Float64Array.from(tensors.floats(`${name}.${part}`));
  return { gain: readPart('weight'), bias: readPart('bias') };
}

function readEmbeddings(tensors: Tensors): EncoderWeights['embed'] {
  const readTable = (part: string) => {
    const name = `embeddings.${part}_embeddings.weight`;
    const [unit = 0] = tensors.floats(`${name}_scale`);
    const [zero = 0] = tensors.bytes(`${name}_zero_point`);
    return { bytes: Buffer.from(tensors.bytes(`${name}_quantized`)), unit, zero };
  };
  const [wordTable, typeTable, positions] = [readTable('word'), readTable('token_type'), readTable('position')];
  if (positions.bytes.length !== POSITIONS * WIDTH) throw new Error('The embedder has other positions than it should.');
  return (token, position, into, at) => {
    for (let i = 0; i < WIDTH; i++) {
      const wordValue = (wordTable.bytes[token * WIDTH + i]! - wordTable.zero) * wordTable.unit;
      const positionValue = (positions.bytes[position * WIDTH + i]! - positions.zero) * positions.unit;
      into[at + i] = wordValue + positionValue + (typeTable.bytes[i]! - typeTable.zero) * typeTable.unit;
    }
  };
}
