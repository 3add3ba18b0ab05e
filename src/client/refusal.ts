import type { WireError } from '../protocol/wire.ts';

/** A refusal by the server. Every interface reports the same code and sentence (I1). */
export class HeddleRefusal extends Error {
  override readonly name = 'HeddleRefusal';
  readonly code: WireError['error']['code'];
  readonly status: number;
  readonly thread?: string;
  readonly participant?: string;
  /** All details of the error, such as `limit` or `retry_after`. */
  readonly details: WireError['error'];

  constructor(status: number, details: WireError['error']) {
    super(details.message);
    this.code = details.code;
    this.status = status;
    this.details = details;
    if (details.thread !== undefined) this.thread = details.thread;
    if (details.participant !== undefined) this.participant = details.participant;
  }
}

/** The server did not answer, or the answer did not come from Heddle. */
export class HeddleUnreachable extends Error {
  override readonly name = 'HeddleUnreachable';
}

export async function errorFromResponse(response: Response): Promise<HeddleRefusal | HeddleUnreachable> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as WireError;
    if (typeof error.code === 'string' && typeof error.message === 'string') {
      return new HeddleRefusal(response.status, error);
    }
  } catch {
    // Not from Heddle: something between here and the server answered.
  }
  return new HeddleUnreachable(`The server answered ${response.status} without a reason. Is it a Heddle server?`);
}
