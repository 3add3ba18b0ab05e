import type { WireCredential } from '../../../src/client/index.ts';
import { SESSION_SECONDS } from '../../../src/protocol/session-lifetime.ts';

/** Whose state this browser keeps. Another credential or another workspace never sees it. */
export interface Owner {
  readonly me: WireCredential;
  readonly workspace: string;
  /** In milliseconds: the session is over by then, and what it saw is no longer shown. */
  readonly expires: number;
}

/** An answer of the server, or events that came by themselves. */
export interface KeptText {
  readonly thread: string;
  readonly name: string;
  readonly text: string;
}

export interface KeptRoomInfo {
  readonly id: string;
  /** When the room was last known to be up to date. */
  readonly at: number;
  readonly bytes: number;
}

export interface KeptPage {
  readonly at: number;
  /** The values of the stores that the lists show, by name. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What is kept, by object store. */
interface Records {
  readonly owner: Owner;
  readonly page: KeptPage;
  readonly rooms: KeptRoomInfo;
  readonly texts: KeptText;
}
type StoreName = keyof Records;

const NAME = 'heddle.kept';
const STORES = {
  owner: null,
  page: null,
  rooms: 'id',
  texts: ['thread', 'name'],
} as const satisfies Record<StoreName, string | readonly string[] | null>;
const NAMES = Object.keys(STORES) as StoreName[];
/** The key of a record that is the only one in its store. */
export const ONLY = 'only';

/** A record store within one transaction. */
interface RecordStore<Record> {
  get(key: IDBValidKey): Promise<Record | undefined>;
  getAll(range?: IDBKeyRange): Promise<readonly Record[]>;
  put(record: Record, key?: IDBValidKey): Promise<unknown>;
  delete(key: IDBValidKey | IDBKeyRange): Promise<unknown>;
  clear(): Promise<unknown>;
}
export type KeptStores = { readonly [Name in StoreName]: RecordStore<Records[Name]> };

let opened: Promise<IDBDatabase> | undefined;
/** Who this tab writes for, once the server has said so. */
let writer: Owner | undefined;

/** Everything of one thread, in the store of texts. */
export function ofThread(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}

/** The server has said who this is: what was kept for anybody else is deleted, in the same transaction. */
export async function claimKept(me: WireCredential, workspace: string): Promise<void> {
  const start = me.use === 'session' ? Date.parse(me.created) : Date.now();
  const owner = { me, workspace, expires: start + SESSION_SECONDS * 1000 };
  await run('readwrite', async (stores) => {
    if (!isSameOwner(await stores.owner.get(ONLY), owner)) await clearAll(stores);
    await stores.owner.put(owner, ONLY);
  });
  writer = owner;
}

/** The session has ended: nothing of it stays. What another tab still writes is dropped, as it has no owner. */
export async function forgetKept(): Promise<void> {
  writer = undefined;
  await run('readwrite', clearAll);
}

/** Whose state is kept; deletes it once their session must have ended. */
export async function readOwner(): Promise<Owner | undefined> {
  const owner = await run('readonly', (stores) => stores.owner.get(ONLY));
  if (!owner || owner.expires > Date.now()) return owner;
  await forgetKept();
  return undefined;
}

export function readKept<Result>(work: (stores: KeptStores) => Promise<Result>): Promise<Result | undefined> {
  return run('readonly', work);
}

/** Writes for the person who is signed in, unless they signed out meanwhile, perhaps in another tab. */
export async function writeKept(work: (stores: KeptStores) => Promise<unknown>): Promise<void> {
  const owner = writer;
  if (!owner) return;
  await run('readwrite', async (stores) => {
    if (isSameOwner(await stores.owner.get(ONLY), owner)) await work(stores);
  });
}

export function isSameOwner(one: Pick<Owner, 'me' | 'workspace'> | undefined, other: Pick<Owner, 'me' | 'workspace'>) {
  return one?.me.id === other.me.id && one.workspace === other.workspace;
}

async function clearAll(stores: KeptStores): Promise<void> {
  for (const name of NAMES) await stores[name].clear();
}

/** Undefined where the browser keeps nothing: storage is off or full, and the page works without it. */
async function run<Result>(
  mode: IDBTransactionMode,
  work: (stores: KeptStores) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    opened ??= openDatabase();
    const transaction = (await opened).transaction(NAMES, mode, { durability: 'relaxed' });
    const finished = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const stores = Object.fromEntries(NAMES.map((name) => [name, recordStore(transaction.objectStore(name))]));
    const [result] = await Promise.all([work(stores as unknown as KeptStores), finished]);
    return result;
  } catch {
    return undefined;
  }
}

function recordStore<Record>(store: IDBObjectStore): RecordStore<Record> {
  return {
    get: (key) => settled(store.get(key) as IDBRequest<Record | undefined>),
    getAll: (range) => settled(store.getAll(range) as IDBRequest<Record[]>),
    put: (record, key) => settled(store.put(record, key)),
    delete: (key) => settled(store.delete(key)),
    clear: () => settled(store.clear()),
  };
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    for (const name of NAMES) {
      const keyPath = STORES[name];
      request.result.createObjectStore(name, keyPath === null ? {} : { keyPath: keyPath as string | string[] });
    }
  };
  return settled(request);
}
