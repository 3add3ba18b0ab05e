import type { Tactic } from './tactic.ts';
import { controls } from './tactics/controls.ts';
import { forks } from './tactics/forks.ts';
import { growth } from './tactics/growth.ts';
import { imports } from './tactics/imports.ts';
import { keys } from './tactics/keys.ts';
import { limits } from './tactics/limits.ts';
import { looms } from './tactics/looms.ts';
import { muted } from './tactics/muted.ts';
import { names } from './tactics/names.ts';
import { programs } from './tactics/programs.ts';
import { prompts } from './tactics/prompts.ts';
import { provider } from './tactics/provider.ts';
import { revoked } from './tactics/revoked.ts';
import { routes } from './tactics/routes.ts';
import { search } from './tactics/search.ts';
import { tools } from './tactics/tools.ts';
import { unfinished } from './tactics/unfinished.ts';
import { voices } from './tactics/voices.ts';
import { wire } from './tactics/wire.ts';

export const tactics: readonly Tactic[] = [
  controls,
  forks,
  growth,
  imports,
  keys,
  limits,
  looms,
  muted,
  names,
  programs,
  prompts,
  provider,
  revoked,
  routes,
  search,
  tools,
  unfinished,
  voices,
  wire,
];
