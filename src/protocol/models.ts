import { z } from 'zod';
import * as wire from './wire.ts';

/** Routes for models and agents, their usage and their budgets. */
export const modelRoutes = {
  'GET /api/models': {
    summary: 'Lists the models of the workspace: abilities, status and usage.',
    access: 'participant',
    status: 200,
    response: z.object({ models: z.array(wire.model), currency: wire.currency, problem: z.string().optional() }),
  },
  'POST /api/models': {
    summary: 'Adds a model to heddle.yaml. Keys are never written there, only their names.',
    access: 'human',
    status: 201,
    body: wire.newModel,
    response: z.object({ model: wire.model }),
  },
  'POST /api/model-servers': {
    summary: 'Lists the models of a server that is not in heddle.yaml yet. Nothing is stored, not even the key.',
    access: 'human',
    status: 200,
    body: wire.modelServer,
    response: wire.offeredModels,
  },
  'POST /api/models/:model': {
    summary: 'Changes fields of a model in heddle.yaml; the other fields do not change.',
    access: 'human',
    status: 200,
    body: wire.modelChange,
    response: z.object({ model: wire.model }),
  },
  'POST /api/models/:model/key': {
    summary:
      'Stores a model’s key in the system keychain, or in a file outside the workspace that only its owner can read.',
    access: 'human',
    status: 200,
    body: wire.modelKey,
    response: z.object({ model: wire.model, where: z.string().optional() }),
  },
  'DELETE /api/models/:model': {
    summary: 'Removes a model from heddle.yaml, unless it is a default.',
    access: 'human',
    status: 200,
    response: wire.removedModel,
  },
  'POST /api/defaults': {
    summary: 'Sets the default models of minds, auditors and looms in heddle.yaml.',
    access: 'human',
    status: 200,
    body: wire.newDefaults,
    response: z.object({ defaults: wire.defaults }),
  },
  'GET /api/agents': {
    summary: 'Lists the command-line agents of the workspace by name, and whether their programs are installed.',
    access: 'participant',
    status: 200,
    response: z.object({ agents: z.array(wire.agent) }),
  },
  'POST /api/models/:model/test': {
    summary:
      'Asks a model for a few short texts. Answers in lines: the texts as they arrive, and a last line with the result.',
    access: 'human',
    status: 200,
    body: wire.modelTest,
    response: 'application/jsonl',
  },
  'GET /api/usage': {
    summary: 'Returns usage by model, thread and day, and the budgets.',
    access: 'participant',
    status: 200,
    response: wire.usage,
  },
  'POST /api/budgets/workspace': {
    summary: 'Sets the budget of the workspace in heddle.yaml.',
    access: 'human',
    status: 200,
    body: wire.newBudget,
    response: z.object({ budget: wire.newBudget }),
  },
  'POST /api/currency': {
    summary: 'Sets the currency of prices and budgets. It is written to heddle.yaml; no amount is converted.',
    access: 'human',
    status: 200,
    body: z.strictObject({ currency: z.string().min(1).max(16) }),
    response: z.object({ currency: wire.currency }),
  },
} as const;
