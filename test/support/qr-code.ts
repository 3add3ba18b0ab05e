import jsQR from 'jsqr';

/** The text of a QR code in a picture, read as a camera reads it. `rgba` has four numbers for each pixel. */
export function readQrCode(rgba: readonly number[], width: number, height: number): string | undefined {
  // Its default export is the function itself in its types, and a module with one in Node's.
  const read = jsQR as unknown as typeof jsQR.default;
  return read(Uint8ClampedArray.from(rgba), width, height)?.data;
}
