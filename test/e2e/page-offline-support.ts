// What a browser keeps of a workspace for the time without a server.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** All records that this browser keeps of the workspace, as text by store. */
export function keptRecords(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const settled = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const known = (await indexedDB.databases()).some(({ name }) => name === 'heddle.kept');
    if (!known) return {};
    const database = await settled(indexedDB.open('heddle.kept'));
    const names = [...database.objectStoreNames];
    const transaction = database.transaction(names);
    const asText = (value: unknown) => JSON.stringify(value, (_, each) => (each instanceof Map ? [...each] : each));
    const all = await Promise.all(
      names.map(async (name) => [name, asText(await settled(transaction.objectStore(name).getAll()))] as const),
    );
    database.close();
    return Object.fromEntries(all.filter(([, text]) => text !== '[]'));
  });
}

/** Waits until what the page keeps has this text in it. */
export async function kept(page: Page, text: string, store = 'texts'): Promise<void> {
  await expect.poll(async () => (await keptRecords(page))[store]).toContain(text);
}
