import { dialogueEngine } from './dialogue/dialogue.ts';
import type { EngineMode } from './engine-mode.ts';
import { exchangeEngine } from './exchange/exchange.ts';
import { loomEngine } from './loom/loom.ts';

export const engineModes = { dialogue: dialogueEngine, exchange: exchangeEngine, loom: loomEngine } as const;

const modeByKind = new Map(Object.entries(engineModes as Readonly<Record<string, unknown>>));

export function engineModeOf(kind: string): EngineMode<unknown> | undefined {
  return modeByKind.get(kind) as EngineMode<unknown> | undefined;
}
