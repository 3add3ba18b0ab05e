/** Expected failures on the wire. They are caught where the call is made and never thrown at the caller. */
export type WireFaultKind =
  | 'connect-timeout'
  | 'not-utf8'
  | 'event-too-long'
  | 'body-too-long'
  | 'not-events'
  | 'wrong-type'
  | 'wrong-shape'
  | 'ended-early';

export class WireFault extends Error {
  readonly kind: WireFaultKind;

  constructor(kind: WireFaultKind, detail = '') {
    super(detail);
    this.kind = kind;
  }
}
