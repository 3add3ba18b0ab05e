import type { ChatImage, ChatMessage } from '../model.ts';
import type { WireBody } from './quirks/body.ts';

/** Puts images below the text of their message, each behind its label; messages without images stay as they are. */
export async function withWireMessages(
  body: WireBody,
  toPart: (image: ChatImage, data: string) => object,
): Promise<WireBody> {
  const messages = body.messages as readonly ChatMessage[];
  if (messages.every(({ images }) => images === undefined)) return body;
  const wireMessages = [];
  for (const { images, ...message } of messages) {
    if (!images) {
      wireMessages.push(message);
      continue;
    }
    const content: object[] = [{ type: 'text', text: message.content }];
    for (const image of images) {
      const data = await image.read();
      if (data !== undefined) content.push({ type: 'text', text: `${image.label}:` }, toPart(image, data));
    }
    wireMessages.push({ ...message, content });
  }
  return { ...body, messages: wireMessages };
}
