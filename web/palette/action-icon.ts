import {
  Download,
  KeyRound,
  LogOut,
  MoonStar,
  Pencil,
  Play,
  Plus,
  Printer,
  Search,
  Settings,
  SquareChevronRight,
  Upload,
  UserPlus,
  VolumeX,
} from 'lucide-react';
import type { Icon } from '../ui/icon.tsx';

/** By the verb that an action's name begins with. */
const ICONS: readonly (readonly [RegExp, Icon])[] = [
  [/^(New|Begin|Add|Put|Open a side)\b/, Plus],
  [/^Invite\b/, UserPlus],
  [/^(Mute|Unmute)\b/, VolumeX],
  [/^Export\b/, Download],
  [/^Import\b/, Upload],
  [/^Print\b/, Printer],
  [/^(Rename|Change)\b/, Pencil],
  [/^Settings\b/, Settings],
  [/^(All|Find)\b/, Search],
  [/^(Light|Dark)\b/, MoonStar],
  [/^Keys$/, KeyRound],
  [/^(Run|Let|Test|Take the tour)\b/, Play],
  [/^Sign out\b/, LogOut],
];

export function actionIcon(name: string): Icon {
  return ICONS.find(([verb]) => verb.test(name))?.[1] ?? SquareChevronRight;
}
