/** What can go wrong on the wire that is nobody's exception to throw at a caller. It is caught where the call is made. */
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
