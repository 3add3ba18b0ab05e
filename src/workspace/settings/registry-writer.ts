import type { RegistryWriter } from '../../models/registry/registry.ts';
import { setModelKey } from '../keys/model-key.ts';
import { addModel, changeModel, removeModel, setCurrency, setDefaults, setWorkspaceBudget } from './edit.ts';

/** Writes changes of the registry: settings to this heddle.yaml, keys outside it. */
export function createRegistryWriter(path: string): RegistryWriter {
  return {
    setBudget: (limit) => setWorkspaceBudget(path, limit),
    setCurrency: (code) => setCurrency(path, code),
    addModel: (model) => addModel(path, model),
    changeModel: (name, set) => changeModel(path, name, set),
    removeModel: (name) => removeModel(path, name),
    setDefaults: (defaults) => setDefaults(path, defaults),
    setKey: (name, key) => setModelKey(path, name, key),
  };
}
