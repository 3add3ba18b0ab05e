/** The answer of `GET /api/stream` names the stream in this header; the id is new for every connection. */
export const STREAM_ID_HEADER = 'heddle-stream';
/** The most threads that the reader of one stream can be present in. */
export const MAX_WATCHED_THREADS = 64;
