import { z } from 'zod';
import * as wire from './wire.ts';

/** Routes for models and agents, their usage and their budgets. */
export const modelRoutes = {
  'GET /api/models': {
    summary: 'The models of the workspace: what they can do, whether they can be asked, what they have used.',
    access: 'participant',
    status: 200,
    response: z.object({ models: z.array(wire.model), currency: wire.currency, problem: z.string().optional() }),
  },
  'POST /api/models': {
    summary: 'Adds a model. It is written to heddle.yaml; a key never is, only its name.',
    access: 'human',
    status: 201,
    body: wire.newModel,
    response: z.object({ model: wire.model }),
  },
  'POST /api/model-servers': {
    summary: 'Lists the models of a server that is not in heddle.yaml yet. Nothing is stored, the key included.',
    access: 'human',
    status: 200,
    body: wire.modelServer,
    response: wire.offeredModels,
  },
  'POST /api/models/:model': {
    summary: 'Changes fields of a model of heddle.yaml; the others stay as they are.',
    access: 'human',
    status: 200,
    body: wire.modelChange,
    response: z.object({ model: wire.model }),
  },
  'POST /api/models/:model/key': {
    summary:
      'Stores the key of a model: in the system’s keychain, or in a file for its owner alone, apart from the workspace.',
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
    summary: 'The command-line agents of the workspace, by the names that invitations use, and whether they are here.',
    access: 'participant',
    status: 200,
    response: z.object({ agents: z.array(wire.agent) }),
  },
  'POST /api/models/:model/test': {
    summary: 'Asks a model for a few short texts. Answers in lines: the texts as they come, and last all of it.',
    access: 'human',
    status: 200,
    body: wire.modelTest,
    response: 'application/jsonl',
  },
  'GET /api/usage': {
    summary: 'What models have used, by model, thread and day, and the budgets.',
    access: 'participant',
    status: 200,
    response: wire.usage,
  },
  'POST /api/budgets/workspace': {
    summary: 'Sets what models may use in all. It is written to heddle.yaml.',
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
