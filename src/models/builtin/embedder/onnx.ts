/*
 * Just enough of the ONNX format to read weights from a file: a model has a graph (field 7), a graph has tensors
 * (field 5), and a tensor has a name (8) and its numbers, which are raw bytes (9), floats (4) or integers (5).
 */

/** The numbers of every named tensor, as bytes or as floats, whichever the file has. */
export interface Tensors {
  /** Bytes of 8-bit integers, in order. */
  bytes(name: string): Buffer;
  /** The tensor's numbers as 32-bit floats. */
  floats(name: string): Float32Array;
  /** Tensor names, in the order of the file. */
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
  const findTensor = (name: string) => {
    const fields = tensors.get(name);
    if (!fields) throw new Error(`The model file has no tensor "${name}".`);
    return fields;
  };
  return {
    names: [...tensors.keys()],
    bytes: (name) => findTensor(name).get(9) ?? Buffer.from(integersOf(findTensor(name).get(5) ?? Buffer.alloc(0))),
    floats(name) {
      const data = findTensor(name).get(9) ?? findTensor(name).get(4) ?? Buffer.alloc(0);
      return Float32Array.from({ length: data.length / 4 }, (_, i) => data.readFloatLE(4 * i));
    },
  };
}

interface OnnxField {
  readonly number: number;
  /** Empty for a field that is a single number. */
  readonly data: Buffer;
}

function fieldsOf(message: Buffer): readonly OnnxField[] {
  const fields: OnnxField[] = [];
  for (let offset = 0; offset < message.length; ) {
    const [tag, start] = readVarint(message, offset);
    const [length, prefixLength] = lengthOf(message, start, tag & 7);
    fields.push({ number: tag >>> 3, data: message.subarray(start + prefixLength, start + prefixLength + length) });
    offset = start + prefixLength + length;
  }
  return fields;
}

/** The number of data bytes in a field, and the number of bytes before them. */
function lengthOf(message: Buffer, offset: number, wireType: number): readonly [length: number, size: number] {
  if (wireType === 0) return [0, readVarint(message, offset)[1] - offset];
  if (wireType === 1) return [8, 0];
  if (wireType === 5) return [4, 0];
  if (wireType !== 2) throw new Error('This is not a model file that Heddle can read.');
  const [length, start] = readVarint(message, offset);
  return [length, start - offset];
}

function integersOf(data: Buffer): readonly number[] {
  const integers: number[] = [];
  for (let offset = 0; offset < data.length; ) {
    const [integer, next] = readVarint(data, offset);
    integers.push(integer);
    offset = next;
  }
  return integers;
}

/** Reads seven bits per byte, lowest first. */
function readVarint(bytes: Buffer, offset: number): readonly [value: number, next: number] {
  let value = 0;
  for (let i = offset, factor = 1; i < bytes.length; i++, factor *= 128) {
    value += (bytes[i]! & 127) * factor;
    if (bytes[i]! < 128) return [value, i + 1];
  }
  throw new Error('The model file ends too early.');
}
