import { Square } from 'lucide-react';
import { forwardRef } from 'react';
import type { Icon } from './icon.tsx';

/** Filled, as on a recorder, so that no outline reads as an empty checkbox. */
export const StopIcon: Icon = forwardRef((props, ref) => <Square {...props} ref={ref} fill="currentColor" />);
