/** Downloads an address as a file of this name. */
export function download(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}

export function saveAs(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  download(href, name);
  URL.revokeObjectURL(href);
}

/** Opens a file picker; resolves to no files if the person cancels. */
export function pickFiles({ accept = '', multiple = true } = {}): Promise<readonly File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = multiple;
  input.accept = accept;
  return new Promise((resolve) => {
    input.onchange = () => resolve([...(input.files ?? [])]);
    input.oncancel = () => resolve([]);
    input.click();
  });
}
