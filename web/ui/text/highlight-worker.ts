import { type CodeLines, highlight } from './highlight.ts';

export interface HighlightRequest {
  readonly id: number;
  readonly text: string;
  readonly language: string;
}
export interface HighlightResult {
  readonly id: number;
  readonly lines: CodeLines | undefined;
}

addEventListener('message', async ({ data }: MessageEvent<HighlightRequest>) => {
  const lines = await highlight(data.text, data.language).catch(() => undefined);
  postMessage({ id: data.id, lines } satisfies HighlightResult);
});
