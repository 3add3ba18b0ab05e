/** Large enough for every place that shows a face, on any screen. */
const SIDE = 256;

/** The middle of a picture as a small square, or undefined if the file is no picture that this browser can read. */
export async function squarePicture(file: Blob): Promise<Blob | undefined> {
  // An image element would need an address, which the page's policy does not allow for files of this computer.
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  const { width, height } = bitmap;
  const edge = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(SIDE, edge);
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, (width - edge) / 2, (height - edge) / 2, edge, edge, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A browser that cannot write WebP writes PNG.
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/webp', 0.9));
}
