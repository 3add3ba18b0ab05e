/** The answer of `GET /api/stream` names the stream in this header; the id is new for every connection. */
export const STREAM_ID_HEADER = 'heddle-stream';
