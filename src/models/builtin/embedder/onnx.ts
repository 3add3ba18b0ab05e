/*
 * As much of the ONNX format as it takes to get weights out of a file: a model has a graph (field 7), a graph has tensors
 * (field 5), and a tensor has its name (8) and its numbers, which are raw bytes (9), floats (4) or integers (5).
 */

/** The numbers of every named tensor, as bytes or as floats, whichever the file has. */
export interface Tensors {
  /** Bytes of 8-bit integers, in order. */
  bytes(name: string): Buffer;
  /** Where `bytes` of this name start in the file: tensors are stored in the order of the layers. */
  floats(name: string): Float32Array;
  /** In the order of the file. */
  readonly names: readonly string[];
}

export function readTensors(file: Buffer): Tensors {
  const graph = fieldsOf(file).find(({ number }) => number === 7)?.data;
  if (!graph) throw new Error('This is not a model file that Heddle can read.');
  const tensors = new Map<string, Map<number, Buffer>>();
  for (const { number, data } of fieldsOf(graph)) {
    if (number !== 5) continue;
    const fields = new Map(fieldsOf(data).map((field) => [field.number, field.data]));
    tensors.set(fields.get(8)?.toString() ?? '', fields);
  }
  const find = (name: string) => {
    const fields = tensors.get(name);
    if (!fields) throw new Error(`The model file has no tensor "${name}".`);
    return fields;
  };
  return {
    names: [...tensors.keys()],
    bytes: (name) => find(name).get(9) ?? Buffer.from(integersOf(find(name).get(5) ?? Buffer.alloc(0))),
    floats(name) {
      const data = find(name).get(9) ?? find(name).get(4) ?? Buffer.alloc(0);
      return Float32Array.from({ length: data.length / 4 }, (_, i) => data.readFloatLE(4 * i));
    },
  };
}

interface Field {
  readonly number: number;
  /** Empty for a field that is one number. */
  readonly data: Buffer;
}

function fieldsOf(message: Buffer): readonly Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const [tag, start] = varint(message, at);
    const [length, size] = lengthOf(message, start, tag & 7);
    fields.push({ number: tag >>> 3, data: message.subarray(start + size, start + size + length) });
    at = start + size + length;
  }
  return fields;
}

/** How many bytes of data a field has, and how many come before them. */
function lengthOf(message: Buffer, at: number, kind: number): readonly [length: number, size: number] {
  if (kind === 0) return [0, varint(message, at)[1] - at];
  if (kind === 1) return [8, 0];
  if (kind === 5) return [4, 0];
  if (kind !== 2) throw new Error('This is not a model file that Heddle can read.');
  const [length, start] = varint(message, at);
  return [length, start - at];
}

function integersOf(data: Buffer): readonly number[] {
  const integers: number[] = [];
  for (let at = 0; at < data.length; ) {
    const [integer, next] = varint(data, at);
    integers.push(integer);
    at = next;
  }
  return integers;
}

/** Seven bits a byte, the lowest first. */
function varint(bytes: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let i = at, place = 1; i < bytes.length; i++, place *= 128) {
    value += (bytes[i]! & 127) * place;
    if (bytes[i]! < 128) return [value, i + 1];
  }
  throw new Error('The model file ends too early.');
}
