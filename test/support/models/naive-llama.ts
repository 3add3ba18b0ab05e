import { readFileSync } from 'node:fs';

/*
 * The same model the obvious way: one token at a time, 32-bit floats, plain loops, nothing shared with src/models.
 * The tests hold the real one's numbers against it, the bench its speed.
 */

export interface NaiveLlama {
  /** Scores of every token to come after this one. */
  forward(token: number, position: number): Float32Array;
}

export function naiveLlama(path: string): NaiveLlama {
  const bytes = readFileSync(path);
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const [dim, hiddenDim, layers, heads, , vocabulary, length] = new Int32Array(data, 0, 7) as unknown as number[] & {
    length: 7;
  };
  return build(data, { dim, hiddenDim, layers, heads, vocabulary, length } as Record<Name, number>);
}

type Name = 'dim' | 'hiddenDim' | 'layers' | 'heads' | 'vocabulary' | 'length';

function build(
  data: ArrayBuffer,
  { dim, hiddenDim, layers, heads, vocabulary, length }: Record<Name, number>,
): NaiveLlama {
  const size = dim / heads;
  let at = 28;
  const take = (count: number) => {
    const part = new Float32Array(data, at, count);
    at += count * 4;
    return part;
  };
  const embedding = take(vocabulary * dim);
  const attentionGain = take(layers * dim);
  const [wq, wk, wv, wo] = [0, 1, 2, 3].map(() => take(layers * dim * dim)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const hiddenGain = take(layers * dim);
  const w1 = take(layers * dim * hiddenDim);
  const w2 = take(layers * dim * hiddenDim);
  const w3 = take(layers * dim * hiddenDim);
  const lastGain = take(dim);
  const cosines = take((length * size) / 2);
  const sines = take((length * size) / 2);
  const keys = new Float32Array(layers * length * dim);
  const values = new Float32Array(layers * length * dim);

  function matmul(w: Float32Array, start: number, x: Float32Array, rows: number, columns: number): Float32Array {
    const out = new Float32Array(rows);
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let c = 0; c < columns; c++) sum += w[start + r * columns + c]! * x[c]!;
      out[r] = sum;
    }
    return out;
  }

  function rmsnorm(x: Float32Array, gain: Float32Array): Float32Array {
    let sum = 0;
    for (const value of x) sum += value * value;
    const scale = 1 / Math.sqrt(sum / dim + 1e-5);
    return x.map((value, i) => value * scale * gain[i]!);
  }

  function rotate(x: Float32Array, position: number): void {
    for (let i = 0; i < dim; i += 2) {
      const angle = (position * size) / 2 + (i % size) / 2;
      const [c, s, a, b] = [cosines[angle]!, sines[angle]!, x[i]!, x[i + 1]!];
      x[i] = a * c - b * s;
      x[i + 1] = a * s + b * c;
    }
  }

  function attention(q: Float32Array, layer: number, position: number): Float32Array {
    const out = new Float32Array(dim);
    for (let h = 0; h < heads; h++) {
      const scores = new Float32Array(position + 1);
      for (let t = 0; t <= position; t++) {
        let sum = 0;
        for (let i = 0; i < size; i++) sum += q[h * size + i]! * keys[(layer * length + t) * dim + h * size + i]!;
        scores[t] = sum / Math.sqrt(size);
      }
      const most = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - most));
      const total = shares.reduce((sum, share) => sum + share, 0);
      for (let t = 0; t <= position; t++) {
        for (let i = 0; i < size; i++) {
          out[h * size + i]! += (shares[t]! / total) * values[(layer * length + t) * dim + h * size + i]!;
        }
      }
    }
    return out;
  }

  function forward(token: number, position: number): Float32Array {
    const x = embedding.slice(token * dim, (token + 1) * dim);
    for (let l = 0; l < layers; l++) {
      const normed = rmsnorm(x, attentionGain.subarray(l * dim, (l + 1) * dim));
      const q = matmul(wq, l * dim * dim, normed, dim, dim);
      const k = matmul(wk, l * dim * dim, normed, dim, dim);
      rotate(q, position);
      rotate(k, position);
      keys.set(k, (l * length + position) * dim);
      values.set(matmul(wv, l * dim * dim, normed, dim, dim), (l * length + position) * dim);
      const attended = matmul(wo, l * dim * dim, attention(q, l, position), dim, dim);
      for (let i = 0; i < dim; i++) x[i]! += attended[i]!;
      const again = rmsnorm(x, hiddenGain.subarray(l * dim, (l + 1) * dim));
      const gate = matmul(w1, l * dim * hiddenDim, again, hiddenDim, dim);
      const up = matmul(w3, l * dim * hiddenDim, again, hiddenDim, dim);
      const active = gate.map((value, i) => (value / (1 + Math.exp(-value))) * up[i]!);
      const change = matmul(w2, l * dim * hiddenDim, active, dim, hiddenDim);
      for (let i = 0; i < dim; i++) x[i]! += change[i]!;
    }
    return matmul(embedding, 0, rmsnorm(x, lastGain), vocabulary, dim);
  }

  return { forward };
}
