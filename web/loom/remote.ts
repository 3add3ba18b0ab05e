import { createHttp } from '../../src/client/http.ts';

/** Reads of looms, at the server this page came from. */
export const ask = createHttp({ url: '' }).call;
