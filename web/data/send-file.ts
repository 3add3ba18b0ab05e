import type { SendFile } from '../../src/client/index.ts';

/** Sends a file with progress. `fetch` cannot say how much was sent, so this is the older way. */
export const sendFile: SendFile = (address, file, { headers, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (action: () => void) => () => {
      signal?.removeEventListener('abort', abort);
      action();
    };
    request.open('POST', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener(
      'load',
      settle(() => resolve(new Response(request.responseText, { status: request.status }))),
    );
    request.addEventListener(
      'error',
      settle(() => reject(new Error('the connection was lost'))),
    );
    request.addEventListener(
      'abort',
      settle(() => reject(new Error('it was interrupted'))),
    );
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) return reject(signal.reason);
    request.send(file);
  });
