// A room asks for the palette without knowing the page around it.
let openPalette: () => void = () => {};

/** Opens the palette to search in the open thread only. */
export function searchHere(): void {
  openPalette();
}

/** Says who opens it. Returns a function that stops it. */
export function onSearchHere(open: () => void): () => void {
  openPalette = open;
  return () => {
    openPalette = () => {};
  };
}
